# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start; see config/luar.yaml for their defaults with comments."""

    team: int = parameter(0, "number of the robot's team", minimum=0, maximum=999)
    player: int = parameter(1, "number of the player", minimum=0, maximum=999)
    user: str = parameter(
        "simulated",
        "user name at the end of the segments' names; empty on a robot, simulated in a simulation",
    )
    personal_names: bool = parameter(
        True, "whether segments end with team, player and user; false before October 2011"
    )
    joints: bool = parameter(
        True, "whether dcmSensor and dcmActuator are this robot's; their names have no suffix"
    )
    memory_directory: str = parameter("/dev/shm", "where the segments are")
    tables: list[str] = parameter(
        ["document"],
        "layout tables: document, upenn_2013, upenn_2016, example_tcm or files of your own",
    )
    writable: list[str] = parameter(
        [""], "variables that may be written, such as vcmCamera.command or tcmSegment1.*"
    )
    joint_commands: bool = parameter(
        False,
        "whether ROS may move the joints; `writable` has to name dcmActuator.command as well",
    )
    joint_path_tolerance: float = parameter(
        0.0,
        "rad by which a joint may be off a trajectory's way where the goal does not say; 0: any",
        minimum=0.0,
        maximum=10.0,
    )
    joint_goal_tolerance: float = parameter(
        0.1,
        "rad by which a joint may be off at the end of a trajectory where the goal does not say; "
        "0: any",
        minimum=0.0,
        maximum=10.0,
    )
    joint_goal_time_tolerance: float = parameter(
        1.0,
        "seconds after its end in which a trajectory's joints have to be there where the goal "
        "does not say",
        minimum=0.0,
        maximum=60.0,
    )
    game_controller: str = parameter(
        "",
        "address at which the GameController's broadcast is received, such as 127.255.255.255 or "
        "0.0.0.0:3838; empty: nowhere",
    )
    scan_rate: float = parameter(
        100.0,
        "how often a segment that is waited for is read at least, in Hz",
        minimum=1.0,
        maximum=1000.0,
    )
    stale_after: float = parameter(
        1.0,
        "seconds after which a process whose count stands still is reported",
        minimum=0.05,
        maximum=3600.0,
    )
    mirror_rate: float = parameter(
        10.0,
        "how often a segment is published at most under segments/, in Hz; 0: never",
        minimum=0.0,
        maximum=100.0,
    )
    mirror_length: int = parameter(
        1024,
        "variables of more numbers than this are mirrored by name and length only",
        minimum=0,
        maximum=1_000_000,
    )
    colors: str = parameter(
        "webots",
        "how image_rgb is made: webots (inverts the Webots controller's packing) or standard",
        choices=("webots", "standard"),
    )
    focal_widths: float = parameter(
        1.0,
        "focal length in widths of the image: 1.0 under Webots, 1.197 on a Nao",
        minimum=0.1,
        maximum=100.0,
    )
    camera_height: float = parameter(
        0.41,
        "metres from the ground to the head joint, the origin of what is seen",
        minimum=0.0,
        maximum=10.0,
    )
    acceleration_scale: float = parameter(
        0.0, "m/s² of one step of imuAcc; 0: not calibrated", minimum=-1000.0, maximum=1000.0
    )
    rotation_scale: float = parameter(
        0.0, "rad/s of one step of imuGyr; 0: not calibrated", minimum=-1000.0, maximum=1000.0
    )
    inclination_deviation: float = parameter(
        0.02, "radians; of the IMU's roll and pitch", minimum=0.0, maximum=100.0
    )
    position_deviation: float = parameter(
        0.2, "metres; of the pose where there are no particles", minimum=0.0, maximum=100.0
    )
    heading_deviation: float = parameter(
        0.2, "radians; of the pose where there are no particles", minimum=0.0, maximum=100.0
    )
    map_frame: str = parameter("map", "frame of the field, origin in its centre")
    odom_frame: str = parameter("odom", "frame of the walk's odometry")
    base_frame: str = parameter("base_footprint", "the robot's frame on the ground")
    frame_prefix: str = parameter("", "put before every frame but the map's, such as 'luar_2/'")
    publish_tf: bool = parameter(
        True, "whether map to odom to base_footprint, and the links' frames, go to /tf"
    )
    link_rate: float = parameter(
        10.0,
        "how often the frames of the links go to /tf at most, in Hz; 0: never",
        minimum=0.0,
        maximum=100.0,
    )
    publish_description: bool = parameter(
        True, "publish the URDF of a Nao on robot_description, latched"
    )
