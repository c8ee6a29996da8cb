# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One system: its topics, and the state that the page draws of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rclpy.node import Node
from sensor_msgs.msg import CompressedImage

from legacy_robots_msgs.msg import LinkState
from legacy_robots_view import images
from legacy_robots_view.discovery import System
from legacy_robots_view.links import Link
from legacy_robots_view.polling import Polled, Taken
from legacy_robots_view.systems import Camera, Feed
from legacy_robots_view.view_parameters import Parameters
from legacy_robots_web import Fields, State


@dataclass
class _Source:
    """A topic that is being read.

    ``at`` is when its last message was published (s), or None. What ``is_latched`` stays true
    until there is something new; anything else gets old.
    """

    feed: Feed | Camera
    polled: Polled
    period: float
    is_latched: bool
    due: float = -math.inf
    at: float | None = None
    problem: str | None = None
    fields: Fields | None = None
    report: dict[str, Any] = field(default_factory=dict)


class Panel:
    """Reads the topics of one system, while it is there."""

    def __init__(self, node: Node, system: System, parameters: Parameters, now: float) -> None:
        self._node = node
        self._parameters = parameters
        self._link_topic = Polled.latched(node, LinkState, system.link)
        self._sources: dict[str, _Source] = {}
        self._fields: Fields = {}
        self.link = Link(now)
        self.system = system
        self.gone_at: float | None = None

    def follow(self, system: System, publishers: int, now: float) -> None:
        """Update from the graph: topics come and go with their system."""
        self.link.publishers = publishers
        if not publishers:
            if self.gone_at is None:
                self.gone_at = now
            return
        self.gone_at = None
        self.system = system
        kind = system.kind
        if kind is None:
            return
        period = 1.0 / self._parameters.camera_rate
        for feed in kind.feeds:
            if self._is_there(feed, system):
                make = Polled.latched if feed.latched else Polled
                polled = make(self._node, feed.type, f"{system.namespace}/{feed.topic}")
                is_latched = feed.latched or feed.event
                self._sources[feed.topic] = _Source(feed, polled, 1.0 / feed.rate, is_latched)
        for camera in kind.cameras:
            if self._is_there(camera, system):
                polled = Polled(self._node, camera.type, f"{system.namespace}/{camera.topic}")
                self._sources[camera.topic] = _Source(camera, polled, period, False)

    def _is_there(self, feed: Feed | Camera, system: System) -> bool:
        name = f"{feed.type.__module__.split('.')[0]}/msg/{feed.type.__name__}"
        return feed.topic not in self._sources and system.topics.get(feed.topic) == name

    def poll(self, now: float) -> Iterator[tuple[str, bytes]]:
        """Read what is due; yield the new images with the names of their topics."""
        taken = self._link_topic.take(now)
        if taken is not None:
            self.link.tell(self._link_topic.read(taken), now - taken.age)
        for topic, source in self._sources.items():
            if now < source.due:
                continue
            taken = source.polled.take(now)
            if taken is None:
                continue
            source.at = now - taken.age if source.is_latched else now
            source.due = now + source.period - 0.5 / self._parameters.rate
            image = self._read(source, taken)
            if image is not None:
                yield topic, image

    def _read(self, source: _Source, taken: Taken) -> bytes | None:
        """Return an image; keep what was read of anything else, or what is wrong with it."""
        image = None
        try:
            message = source.polled.read(taken)
            if isinstance(source.feed, Feed):
                source.fields = source.feed.read(message)
            elif source.feed.type is CompressedImage:
                image = images.encoded(message)
            else:
                p = self._parameters
                image = images.jpeg(message, p.image_width, p.jpeg_quality)
            source.problem = None
        except Exception as error:  # what others publish must not end the view of all
            problem = f"{type(error).__name__}: {error}"
            if problem != source.problem:
                self._node.get_logger().warning(f"{source.polled.topic} is not drawn: {problem}")
            source.problem = problem
        return image

    def state(self, now: float, report: bool) -> State:
        """Return all that the page draws of this system; rates and ages only at a ``report``."""
        system, namespace = self.system, self.system.namespace
        self.link.update(now)
        fields = {
            "kind": system.kind.name if system.kind else None,
            "title": system.kind.title if system.kind else namespace.rpartition("/")[2],
            "order": system.order,
            "group": system.group,
            **self.link.fields(),
        }
        if fields != self._fields:  # keep the object: the same one means that nothing has changed
            self._fields = fields
        state: State = {f"system {namespace}": self._fields}
        for topic, source in self._sources.items():
            self._report(source, now, report)
            state[f"topic {namespace} {topic}"] = source.report
            if source.fields is not None:
                state[f"data {namespace} {topic}"] = source.fields
        return state

    def _report(self, source: _Source, now: float, with_rate: bool) -> None:
        stale_after = max(self._parameters.stale_after, 2.0 * source.period)
        fresh = source.at is not None and (source.is_latched or now - source.at < stale_after)
        if with_rate or fresh != source.report.get("fresh"):
            rate = round(source.polled.rate(now), 1)
            at = None if source.at is None else round(source.at, 1)
            report = {
                "rate": rate,
                "stream": not source.is_latched,
                "at": at,
                "fresh": fresh,
                "problem": source.problem,
                "camera": isinstance(source.feed, Camera),
            }
            if report != source.report:
                source.report = report

    def close(self) -> None:
        """Leave all topics."""
        self._link_topic.close()
        for source in self._sources.values():
            source.polled.close()
