% SPDX-FileCopyrightText: 2026 Legacy Robots contributors
% SPDX-License-Identifier: Apache-2.0
/*  A program for IndiGolog, the public interpreter of the Golog family: find the ball, walk up to it and wave.
    While the button on the head is pressed sit down, whatever was being done; then get up and begin again.

        swipl indigolog_dog.pl INDIGOLOG 127.0.0.1 10100

    INDIGOLOG is a clone of github.com/ssardina-agts/indigolog; its plain interpreter is used as it is. The
    button is an exogenous action, search and look are sensing actions, and the program is a list of
    prioritized interrupts: the first whose condition holds goes on.
*/
:- use_module(aibopred).
:- initialization(main, main).
:- dynamic button_was/1, followed/0, senses/2, exog_action/1.
:- discontiguous prim_action/1, causes_val/4, poss/2, senses/2, exog_action/1.
:- multifile prim_action/1, prim_fluent/1, causes_val/4, poss/2, proc/2.

% --- fluents -------------------------------------------------------------------------------

prim_fluent(ball).      % unknown, missing, far, near
prim_fluent(pressed).   % yes, no
prim_fluent(posture).   % up, down
prim_fluent(waved).     % yes, no

initially(ball, unknown).
initially(pressed, no).
initially(posture, up).
initially(waved, no).
initially(interrupts, running).

% --- actions -------------------------------------------------------------------------------

prim_action(search).      poss(search, true).               senses(search, ball).   % with the head alone
prim_action(look).        poss(look, true).                 senses(look, ball).
prim_action(turn).        poss(turn, posture = up).
prim_action(walk_on).     poss(walk_on, posture = up).
prim_action(stand_still). poss(stand_still, true).
prim_action(sit).         poss(sit, posture = up).
prim_action(get_up).      poss(get_up, posture = down).
prim_action(wave).        poss(wave, ball = near).
prim_action(wait).        poss(wait, true).

causes_val(sit, posture, down, true).
causes_val(sit, ball, unknown, true).
causes_val(get_up, posture, up, true).
causes_val(wave, waved, yes, true).

exog_action(press).       causes_val(press, pressed, yes, true).
exog_action(release).     causes_val(release, pressed, no, true).

% --- the program ---------------------------------------------------------------------------

proc(attention,
     prioritized_interrupts(
         [ interrupt(and(pressed = yes, posture = up), [stand_still, sit]),
           interrupt(pressed = yes, wait),
           interrupt(posture = down, get_up),
           interrupt(and(waved = no, ball = unknown), [search, turn, look]),
           interrupt(and(waved = no, ball = far), [walk_on, look]),
           interrupt(and(waved = no, ball = near), [stand_still, wave])
         ])).

% --- the robot -----------------------------------------------------------------------------

execute(Action, Result) :-
    carry_out(Action, Result),
    ( var(Result) -> format("~w~n", [Action]) ; format("~w: ~w~n", [Action, Result]) ).

carry_out(search, Ball) :-
    retractall(followed),
    searchBall(pink, Found, _),
    ( Found =:= 1 -> Ball = far ; Ball = missing ).
carry_out(look, Ball) :-
    queryBall(pink, Visible, _, Y, Area, _),
    bend(Visible, Y),
    (   Visible =:= 1
    ->  ( followed -> true ; assertz(followed) ),
        distance(Area, Ball)
    ;   querySensors([neckTilt1], [Tilt], _),
        out_of_sight(Tilt, Ball)
    ).
carry_out(turn, _) :-
    querySensors([neckPan], [Pan], _),
    Steps is max(1, ceiling(abs(Pan) / 0.7)),
    walkSteps(0.0, 0.0, Pan, Steps, _),
    Milliseconds is Steps * 500,
    moveJoints([joint(neckPan, 0.0, Milliseconds)], _),
    Seconds is Milliseconds / 1000 + 0.3,
    sleep(Seconds).
carry_out(walk_on, _) :- walk(120.0, 0.0, 0.0, -1, _), sleep(0.2).
carry_out(stand_still, _) :- walk(0.0, 0.0, 0.0, -1, _).
carry_out(sit, _) :- motion('sit.mot', _), sleep(1.8).
carry_out(get_up, _) :- motion('stand.mot', _), sleep(1.2).
carry_out(wave, _) :- motion('wave.mot', _), sleep(3.7).
carry_out(wait, _) :- sleep(0.1).
carry_out(start_interrupts, _).
carry_out(stop_interrupts, _).

distance(Area, Ball) :- ( Area < 0.12 -> Ball = far ; Ball = near ).

%   A ball that was followed down to the paws, with the neck bent (rad), and is lost there is near. Another
%   that is out of sight, as after a turn, is looked for again.
out_of_sight(Tilt, Ball) :- ( followed, Tilt < -0.5 -> Ball = near ; Ball = unknown ).

bend(1, Y) :-
    Y > 0.1, !,
    querySensors([neckTilt1, neckTilt2], [Tilt, Nod], _),
    Down is (Nod - Y * 0.54) * 180 / pi,
    (   Down >= -15.0
    ->  moveJoints([joint(neckTilt2, Down, 150)], _)
    ;   Lower is max(-75.0, Tilt * 180 / pi + Down + 15.0),
        moveJoints([joint(neckTilt2, -15.0, 150), joint(neckTilt1, Lower, 150)], _)
    ).
bend(_, _).

%   The interpreter asks before each step whether something has happened.
exog_occurs(Action) :-
    querySensors(['HeadBut'], [Value], _),
    ( Value > 0.1 -> Now = yes ; Now = no ),
    retract(button_was(Before)),
    asserta(button_was(Now)),
    Now \== Before,
    ( Now == yes -> Action = press ; Action = release ),
    format("exogenous: ~w~n", [Action]).

button_was(no).

main([Indigolog, Host, PortText]) :-
    atom_concat(Indigolog, '/interpreters/indigolog_plain.pl', Interpreter),
    load_files(user:Interpreter, [silent(true)]),
    atom_number(PortText, Port),
    aiboConnect(Host, Port),
    call_cleanup(indigolog(attention), aiboDisconnect),
    format("done~n").
