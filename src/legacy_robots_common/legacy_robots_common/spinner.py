# SPDX-License-Identifier: Apache-2.0
"""Spin an executor until another thread says that it is enough."""

from __future__ import annotations

import threading

from rclpy.executors import Executor


class Spinner:
    """What rclpy's ``spin_until_future_complete`` does, without its leak.

    That one remembers another callback on its future at each turn (rclpy 7), some 100 bytes that
    a node which runs for weeks never gives back.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._enough = threading.Event()

    def spin(self) -> None:
        """Do what comes, until ``stop`` is called. Lets out what a callback raises."""
        while not self._enough.is_set():
            self._executor.spin_once()

    def stop(self) -> None:
        """Let ``spin`` return after what it is at. Thread-safe."""
        self._executor.create_task(self._enough.set)

    @property
    def stopped(self) -> bool:
        """Whether ``spin`` has been told to return."""
        return self._enough.is_set()
