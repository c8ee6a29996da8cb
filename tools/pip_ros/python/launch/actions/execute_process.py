# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Run a program until it or launch ends."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
from collections.abc import Iterable, Mapping
from typing import Any

from launch._process import GroupProcess
from launch.action import Action
from launch.event import Event
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited, ProcessStarted
from launch.launch_context import LaunchContext
from launch.launch_description_entity import LaunchDescriptionEntity
from launch.logging import get_logger, log_output
from launch.some_substitutions_type import SomeSubstitutionsType
from launch.substitution import Substitution
from launch.substitutions.basic import LaunchConfiguration
from launch.utilities import (
    describe_substitutions,
    normalize_to_list_of_substitutions,
    perform_substitutions,
)

_GROUP_POLL_SECONDS = 0.02
_SCREEN_AND_FILE = {
    "stdout": {"screen": (True, False), "log": (False, True), "both": (True, True)},
    # errors are always shown
    "stderr": {"screen": (True, False), "log": (True, True), "both": (True, True)},
}


class ExecuteProcess(Action):
    """Run a program in a process group of its own.

    ``cmd`` is a list of words, each a text, a substitution or a list of these. On shutdown the
    group gets SIGINT, after ``sigterm_timeout`` seconds SIGTERM, after ``sigkill_timeout`` more
    SIGKILL. ``respawn`` starts the program again ``respawn_delay`` seconds after each end.
    """

    def __init__(
        self,
        *,
        cmd: Iterable[SomeSubstitutionsType],
        prefix: SomeSubstitutionsType | None = None,
        name: SomeSubstitutionsType | None = None,
        cwd: SomeSubstitutionsType | None = None,
        env: Mapping[Any, SomeSubstitutionsType] | None = None,
        additional_env: Mapping[Any, SomeSubstitutionsType] | None = None,
        shell: bool = False,
        sigterm_timeout: SomeSubstitutionsType | None = None,
        sigkill_timeout: SomeSubstitutionsType | None = None,
        emulate_tty: bool = False,
        output: SomeSubstitutionsType | Mapping[str, str] = "log",
        on_exit: Any = None,
        respawn: bool | SomeSubstitutionsType = False,
        respawn_delay: float | None = None,
        respawn_max_retries: int = -1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if isinstance(cmd, (str, Substitution)):
            raise TypeError(f"cmd of {type(self).__name__} must be a list of words, not one text")
        subs = normalize_to_list_of_substitutions
        self._cmd = [subs(word) for word in cmd]
        self._prefix = subs(
            prefix if prefix is not None else LaunchConfiguration("launch-prefix", default="")
        )
        self._own_prefix = prefix is not None
        self._name = None if name is None else subs(name)
        self._cwd = None if cwd is None else subs(cwd)
        self._env = None if env is None else _pairs(env)
        self._additional_env = _pairs(additional_env or {})
        self._shell = shell
        self._timeouts = (
            subs(sigterm_timeout or LaunchConfiguration("sigterm_timeout", default="5")),
            subs(sigkill_timeout or LaunchConfiguration("sigkill_timeout", default="5")),
        )
        self._emulate_tty = emulate_tty
        self._output = output if isinstance(output, Mapping) else subs(output)
        self._on_exit = on_exit
        self._respawn = subs(str(respawn) if isinstance(respawn, bool) else respawn)
        self._respawn_delay = 0.0 if respawn_delay is None else float(respawn_delay)
        self._respawn_max_retries = respawn_max_retries
        self._run: _Run | None = None

    @property
    def cmd(self) -> list[list[Substitution]]:
        """The words of the command, each as a list of substitutions."""
        return self._cmd

    def describe(self) -> str:
        """Return the command."""
        words = ", ".join(describe_substitutions(word) for word in self._cmd)
        return f"{type(self).__name__}(cmd=[{words}])"

    def command(self, context: LaunchContext) -> list[str]:
        """Return the words of the command; subclasses add theirs."""
        return [perform_substitutions(context, word) for word in self._cmd]

    def environment(self, context: LaunchContext) -> dict[str, str]:
        """Return the environment of the process."""
        env = dict(context.environment) if self._env is None else _perform(context, self._env)
        env.update(_perform(context, self._additional_env))
        return env

    def before_start(self, context: LaunchContext, process_name: str) -> None:
        """Do what a subclass has to do once the process has got its name."""

    def execute(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Start the process as soon as the present entities are visited.

        Raises:
            RuntimeError: The action is executed a second time.

        """
        if context.is_shutdown:
            return None
        if self._run is not None:
            raise RuntimeError(f"{self.describe()}: one action can be executed only once")
        perform = perform_substitutions
        words = self.command(context)
        first = words[0].split()[0] if self._shell else words[0]
        label = perform(context, self._name) if self._name else os.path.basename(first)
        prefix = perform(context, self._prefix)
        pattern = context.launch_configurations.get("launch-prefix-filter")
        program = os.path.basename(words[0])
        if not self._own_prefix and pattern is not None and not re.match(pattern, program):
            prefix = ""
        if self._on_exit is not None:
            context.register_event_handler(
                OnProcessExit(target_action=self, on_exit=self._on_exit, handle_once=False)
            )
        name = f"{label}-{context.next_process_number()}"
        self.before_start(context, name)
        self._run = _Run(
            self,
            context,
            command=shlex.split(prefix) + words,
            name=name,
            cwd=None if self._cwd is None else perform(context, self._cwd),
            env=self.environment(context),
            timeouts=[float(perform(context, timeout)) for timeout in self._timeouts],
            streams=self._streams(context),
            respawn=perform(context, self._respawn).strip().lower() in ("true", "1"),
        )
        return None

    def _streams(self, context: LaunchContext) -> dict[str, tuple[bool, bool]]:
        """Return for stdout and stderr whether they go to the screen and to the log file."""
        override = context.environment.get("OVERRIDE_LAUNCH_PROCESS_OUTPUT")
        if override:
            chosen = {"stdout": override, "stderr": override}
        elif isinstance(self._output, Mapping):
            chosen = {"stdout": "log", "stderr": "log", **self._output}
        else:
            text = perform_substitutions(context, self._output)
            chosen = {"stdout": text, "stderr": text}
        result = {}
        for stream, where in chosen.items():
            if stream not in _SCREEN_AND_FILE or where not in _SCREEN_AND_FILE[stream]:
                raise ValueError(
                    f"output {where!r} of {stream!r} is not part of the subset that tools/pip_ros "
                    "provides: screen, log or both, for stdout and stderr"
                )
            result[stream] = _SCREEN_AND_FILE[stream][where]
        return result


class _Run:
    """The life of the process of one action, with its respawns, until its group has ended."""

    def __init__(
        self,
        action: ExecuteProcess,
        context: LaunchContext,
        *,
        command: list[str],
        name: str,
        cwd: str | None,
        env: dict[str, str],
        timeouts: list[float],
        streams: dict[str, tuple[bool, bool]],
        respawn: bool,
    ) -> None:
        self._action = action
        self._context = context
        self._command = command
        self._name = name
        self._cwd = cwd
        self._env = env
        self._timeouts = timeouts
        self._streams = streams
        self._respawn = respawn
        self._logger = get_logger(name)
        self._process: GroupProcess | None = None
        self._ending = asyncio.Event()
        self._release = context.keep_alive(self._ending.set)
        assert context.asyncio_loop is not None
        self._task = context.asyncio_loop.create_task(self._live())

    def _details(self) -> dict[str, Any]:
        assert self._process is not None
        return {
            "action": self._action,
            "name": self._name,
            "cmd": self._command,
            "cwd": self._cwd,
            "env": self._env,
            "pid": self._process.pid,
        }

    def _on_line(self, stream: str, line: str) -> None:
        screen, file = self._streams[stream]
        log_output(f"[{self._name}] {line}", screen=screen, file=file)

    async def _live(self) -> None:
        retries = 0
        try:
            while not self._ending.is_set() and await self._once():
                action = self._action
                if not self._respawn or 0 <= action._respawn_max_retries <= retries:
                    break
                retries += 1
                await _wait(self._ending, action._respawn_delay)
        except Exception:
            self._logger.exception("exception occurred while executing process:")
        finally:
            self._release()

    async def _once(self) -> bool:
        """Run the process once; return False if it could not be started."""
        try:
            self._process = await GroupProcess.start(
                self._command,
                guardian=self._context.guardian,
                on_start=lambda pid: self._logger.info("process started with pid [%d]", pid),
                on_line=self._on_line,
                cwd=self._cwd,
                env=self._env,
                shell=self._action._shell,
                emulate_tty=self._action._emulate_tty,
            )
        except (OSError, ValueError) as error:
            self._logger.error("exception occurred while executing process: %s", error)
            return False
        process = self._process
        self._emit(ProcessStarted(**self._details()))
        exit_task = asyncio.ensure_future(process.wait())
        exit_task.add_done_callback(self._report_exit)
        ending = asyncio.ensure_future(self._ending.wait())
        await asyncio.wait([exit_task, ending], return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        if exit_task.done():
            # Children that outlive the process: never two generations at once, and nothing is
            # left at the end of launch.
            if not process.forget_if_ended():
                if self._respawn:
                    await self._end_group(process)
                else:
                    self._context.remnants.append(lambda: self._end_group(process))
        else:
            await self._end_group(process)
            await exit_task
        return True

    def _report_exit(self, task: asyncio.Future[int]) -> None:
        assert self._process is not None
        code = task.result()
        if code == 0:
            self._logger.info("process has finished cleanly [pid %d]", self._process.pid)
        else:
            self._logger.error(
                "process has died [pid %d, exit code %d, cmd '%s'].",
                self._process.pid,
                code,
                " ".join(self._command),
            )
        self._emit(ProcessExited(returncode=code, **self._details()))

    def _emit(self, event: Event) -> None:
        self._context.emit_event_sync(event)

    async def _end_group(self, process: GroupProcess) -> None:
        """Send SIGINT, SIGTERM and SIGKILL in turn until no process of the group is left."""
        waited = 0.0
        stages = [("SIGINT", self._timeouts[0]), ("SIGTERM", self._timeouts[1]), ("SIGKILL", 5.0)]
        for index, (name, timeout) in enumerate(stages):
            self._logger.info("sending signal '%s' to process[%s]", name, self._name)
            haste = self._context.haste
            await process.until_it_handles(signal.Signals[name])
            process.signal(signal.Signals[name])
            if await self._group_ended(process, timeout):
                return
            waited += timeout
            if index < 2 and self._context.haste == haste:  # its whole time has passed
                self._logger.error(
                    "process[%s] failed to terminate '%s' seconds after receiving '%s', "
                    "escalating to '%s'",
                    self._name,
                    f"{waited:g}" if index == 0 else waited,
                    name,
                    stages[index + 1][0],
                )
        self._logger.error("process[%s] did not even end after SIGKILL", self._name)

    async def _group_ended(self, process: GroupProcess, timeout: float) -> bool:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        level = self._context.haste
        while not process.forget_if_ended():
            # The end of a grandchild is no event that launch is told of, hence the polling.
            if loop.time() >= deadline or self._context.haste > level:
                return False
            await asyncio.sleep(_GROUP_POLL_SECONDS)
        return True


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        pass


_Pairs = list[tuple[list[Substitution], list[Substitution]]]


def _pairs(mapping: Mapping[Any, SomeSubstitutionsType]) -> _Pairs:
    subs = normalize_to_list_of_substitutions
    return [(subs(name), subs(value)) for name, value in mapping.items()]


def _perform(context: LaunchContext, pairs: _Pairs) -> dict[str, str]:
    perform = perform_substitutions
    return {perform(context, name): perform(context, value) for name, value in pairs}
