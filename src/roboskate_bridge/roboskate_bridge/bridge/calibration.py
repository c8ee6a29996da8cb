# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Camera calibrations in the YAML form that ROS's camera_calibration writes."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

import yaml
from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from sensor_msgs.msg import CameraInfo


class CalibrationError(Exception):
    """A calibration cannot be used; the message says why."""


def load_calibration(url: str) -> CameraInfo:
    """Return the calibration at ``url``: file:///PATH, package://PACKAGE/PATH or a plain path.

    Header and stamp are left empty. Raises CalibrationError.
    """
    path = _path(url)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CalibrationError(f"camera_info_url: {path} cannot be read: {error}") from error
    try:
        return CameraInfo(
            width=int(content["image_width"]),
            height=int(content["image_height"]),
            distortion_model=str(content["distortion_model"]),
            d=_numbers(content, "distortion_coefficients", None),
            k=_numbers(content, "camera_matrix", 9),
            r=_numbers(content, "rectification_matrix", 9),
            p=_numbers(content, "projection_matrix", 12),
        )
    except (KeyError, TypeError, ValueError, AssertionError) as error:
        raise CalibrationError(f"camera_info_url: {path} is no calibration: {error!r}") from error


def _path(url: str) -> Path:
    parts = urlparse(url)
    if parts.scheme == "package":
        try:
            share = get_package_share_directory(parts.netloc)
        except (PackageNotFoundError, ValueError) as error:
            raise CalibrationError(
                f"camera_info_url: there is no package {parts.netloc!r}"
            ) from error
        return Path(share, unquote(parts.path).lstrip("/"))
    if parts.scheme in ("", "file"):
        return Path(unquote(parts.path))
    raise CalibrationError(f"camera_info_url: {url!r} is neither file:// nor package://")


def _numbers(
    content: dict[str, dict[str, list[float]]], name: str, count: int | None
) -> list[float]:
    numbers = [float(value) for value in content[name]["data"]]
    if count is not None and len(numbers) != count:
        raise ValueError(f"{name} has {len(numbers)} numbers instead of {count}")
    return numbers
