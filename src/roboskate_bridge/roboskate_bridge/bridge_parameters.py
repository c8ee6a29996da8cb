# SPDX-License-Identifier: Apache-2.0
"""The bridge's parameters."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.parameters import ParameterError, parameter
from roboskate_bridge.link_settings import LinkSettings, Mode, OnReconnect
from roboskate_bridge.protocol import (
    FORCE_RANGE,
    Dialect,
    ImageSize,
    MatrixOrder,
    Profile,
    ProtocolError,
    check_image_size,
)
from roboskate_bridge.transport import GRPC_PORT, HTTP_PORT, Timeouts, TransportKind


@dataclass(frozen=True)
class Parameters:
    """Declared by name; descriptions and ranges are what ``ros2 param describe`` shows."""

    transport: str = parameter(
        "grpc", "wire: grpc (the real game) or http (the document's URLs with JSON)",
        choices=[kind.value for kind in TransportKind],
    )  # fmt: skip
    host: str = parameter("127.0.0.1", "where the game is")
    port: int = parameter(
        0, f"TCP port; 0: {GRPC_PORT} for grpc, {HTTP_PORT} for http", minimum=0, maximum=65535
    )
    profile: str = parameter(
        "spec", "spec: the document's shapes; game: those of the real game",
        choices=[profile.value for profile in Profile],
    )  # fmt: skip
    matrix_order: str = parameter(
        "row_major", "order of the nine floats of the rotation matrix, profile spec only",
        choices=[order.value for order in MatrixOrder],
    )  # fmt: skip
    force_scale: float = parameter(
        FORCE_RANGE, "joint force that a key fraction of 1 is sent as, profile game only",
        minimum=0.1, maximum=100000.0,
    )  # fmt: skip
    image_size_order: str = parameter(
        "height_width", "order in the answer to initialize, transport http only",
        choices=("height_width", "width_height"),
    )  # fmt: skip

    auto_initialize: bool = parameter(True, "load `level` when the game is first found")
    level: int = parameter(0, "the level that is loaded first", minimum=0, maximum=2**31 - 1)
    on_reconnect: str = parameter(
        "resume", "resume the level that the game still has, or initialize it anew",
        choices=[choice.value for choice in OnReconnect],
    )  # fmt: skip
    reset_rewinds_clock: bool = parameter(
        False, "whether `reset` sets the clock to 0; otherwise it stays monotonic",
        read_only=False,
    )  # fmt: skip

    mode: str = parameter(
        "free_run", "free_run: the game runs in real time; stepped: it moves only by run_game",
        choices=[mode.value for mode in Mode], read_only=False,
    )  # fmt: skip
    step_period: float = parameter(
        0.02, "free_run: s between steps, and their length", minimum=0.002, maximum=10.0
    )
    command_timeout: float = parameter(
        0.5, "s after which the keys of a command are released; in mode stepped s of simulated "
        "time; 0: never", minimum=0.0, maximum=3600.0, read_only=False,
    )  # fmt: skip

    image_width: int = parameter(
        640, "width in pixels that is asked for, profile game only", minimum=1, maximum=7680
    )
    image_height: int = parameter(
        360, "height in pixels that is asked for, profile game only", minimum=1, maximum=4320
    )
    camera_rate: float = parameter(
        25.0, "images a second, free_run only; each is of the moment right after a step",
        minimum=0.1, maximum=1000.0, read_only=False,
    )  # fmt: skip
    vertical_fov: float = parameter(
        1.0471975511965976, "vertical field of view in rad, for camera_info", minimum=0.01,
        maximum=3.1,
    )  # fmt: skip
    camera_info_url: str = parameter(
        "", "calibration to publish instead: file:///PATH or package://PACKAGE/PATH"
    )
    jpeg_quality: int = parameter(
        80, "quality of camera/image_raw/compressed in profile spec", minimum=1, maximum=100
    )

    publish_clock: bool = parameter(True, "publish /clock; only one node of a system may")
    publish_tf: bool = parameter(True, "publish /tf and /tf_static")
    frame_prefix: str = parameter("", "put before every frame, such as skate_2/")
    urdf: str = parameter("", "file with the robot's description; empty: that of this package")
    path_spacing: float = parameter(
        0.25, "m between two poses of `path`", minimum=0.001, maximum=1000.0
    )
    path_length: int = parameter(2000, "poses that `path` has at most", minimum=2, maximum=100000)

    initialize_timeout: float = parameter(
        10.0, "s that the game may take to load a level", minimum=0.01, maximum=600.0
    )
    call_timeout: float = parameter(
        1.0, "s that it may take to answer any other call, run_game's own time aside",
        minimum=0.01, maximum=600.0,
    )  # fmt: skip
    camera_timeout: float = parameter(
        1.0, "s that it may take to answer with an image", minimum=0.01, maximum=600.0
    )

    def link_settings(self) -> LinkSettings:
        """Return what the link needs to know. Raises ParameterError for too big an image."""
        size = ImageSize(self.image_width, self.image_height)
        try:
            check_image_size(size)
        except ProtocolError as error:
            raise ParameterError(
                f"parameters 'image_width' and 'image_height': {error}"
            ) from error
        kind = TransportKind(self.transport)
        default_port = GRPC_PORT if kind is TransportKind.GRPC else HTTP_PORT
        return LinkSettings(
            kind=kind,
            host=self.host,
            port=self.port or default_port,
            dialect=Dialect(
                Profile(self.profile), MatrixOrder(self.matrix_order), self.force_scale
            ),
            timeouts=Timeouts(self.initialize_timeout, self.camera_timeout, self.call_timeout),
            level=self.level if self.auto_initialize else None,
            wished_size=size,
            size_order_is_text=self.image_size_order == "height_width",
            on_reconnect=OnReconnect(self.on_reconnect),
            mode=Mode(self.mode),
            step_period=self.step_period,
            camera_rate=self.camera_rate,
            command_timeout=self.command_timeout,
        )
