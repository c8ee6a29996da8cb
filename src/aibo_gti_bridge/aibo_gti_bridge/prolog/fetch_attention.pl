% SPDX-FileCopyrightText: 2026 Legacy Robots contributors
% SPDX-License-Identifier: Apache-2.0
/*  A short Golog-style program for an AIBO: look for the ball; when it is there walk up to it, watching the
    distance, stop before it and wave; when it is not there sit down. When the turn towards it has lost it look again.

        swipl fetch_attention.pl 127.0.0.1 10100

    The interpreter below is a small one of its own: programs are built of actions, sequences, tests, if,
    while and procedures; an action that senses leaves its result in the history of the situation, and
    fluents are read from there. A full (In)DTGolog uses the predicates of aibopred.pl in the same way.
*/
:- use_module(aibopred).
:- initialization(main, main).

% --- the program ---------------------------------------------------------------------------

proc(fetch_attention,
     [ look_for(pink),
       if(found(pink), approach_and_wave, [play('sit.mot', 1.8)])
     ]).
proc(approach_and_wave,
     [ turn_to_ball,
       look_at(pink),
       if(sees(pink),
          [ while(and(sees(pink), far_from(pink)),
                  [ walk_on, look_at(pink) ]),
            stand_still,
            play('wave.mot', 3.7)
          ],
          fetch_attention)
     ]).

% --- primitive actions: how each is carried out, and what it senses -------------------------

execute(look_for(Colour), [found(Colour)=Found], _) :-
    searchBall(Colour, Found, _).
execute(look_at(Colour), [sees(Colour)=Visible, area(Colour)=Area], _) :-
    queryBall(Colour, Visible, _, Y, Area, _),
    follow_with_head(Visible, Y).
execute(turn_to_ball, [], _) :-
    % The head points at the ball: turn the body by the head's angle, and the head back.
    querySensors([neckPan], [Pan], _),
    Steps is max(1, ceiling(abs(Pan) / 0.7)),
    walkSteps(0.0, 0.0, Pan, Steps, _),
    Milliseconds is Steps * 500,
    moveJoints([joint(neckPan, 0.0, Milliseconds)], _),
    Seconds is Milliseconds / 1000 + 0.3,
    sleep(Seconds).
execute(walk_on, [], _) :-
    walk(120.0, 0.0, 0.0, -1, _),
    sleep(0.2).
execute(stand_still, [], _) :-
    walk(0.0, 0.0, 0.0, -1, _).
execute(play(File, Seconds), [], _) :-
    % The robot does not tell when it is done, and stops when the program goes.
    motion(File, _),
    sleep(Seconds).

%   While the dog comes nearer the ball sinks in the image: bend the head after it.
follow_with_head(1, Y) :-
    Y > 0.1, !,
    querySensors([neckTilt1, neckTilt2], [Tilt, Nod], _),
    Down is (Nod - Y * 0.54) * 180 / pi,
    (   Down >= -15.0
    ->  moveJoints([joint(neckTilt2, Down, 150)], _)
    ;   Lower is max(-75.0, Tilt * 180 / pi + Down + 15.0),
        moveJoints([joint(neckTilt2, -15.0, 150), joint(neckTilt1, Lower, 150)], _)
    ).
follow_with_head(_, _).

% --- fluents -------------------------------------------------------------------------------

holds(found(Colour), S) :- sensed(found(Colour), 1, S).
holds(sees(Colour), S) :- sensed(sees(Colour), 1, S).
holds(far_from(Colour), S) :- sensed(area(Colour), Area, S), Area < 0.2.
holds(and(A, B), S) :- holds(A, S), holds(B, S).
holds(not(A), S) :- \+ holds(A, S).

%   What was sensed last.
sensed(Fluent, Value, do(_, Results, S)) :-
    (   memberchk(Fluent=Last, Results)
    ->  Value = Last
    ;   sensed(Fluent, Value, S)
    ).

% --- the interpreter -----------------------------------------------------------------------

run([], S, S) :- !.
run([P|Ps], S0, S) :- !, run(P, S0, S1), run(Ps, S1, S).
run(?(Condition), S, S) :- !, holds(Condition, S).
run(if(Condition, P, Q), S0, S) :- !,
    ( holds(Condition, S0) -> run(P, S0, S) ; run(Q, S0, S) ).
run(while(Condition, P), S0, S) :- !,
    (   holds(Condition, S0)
    ->  run(P, S0, S1), run(while(Condition, P), S1, S)
    ;   S = S0
    ).
run(Name, S0, S) :- proc(Name, P), !, run(P, S0, S).
run(Action, S, do(Action, Results, S)) :-
    execute(Action, Results, S),
    format("~w ~w~n", [Action, Results]).

main([Host, PortText]) :-
    atom_number(PortText, Port),
    aiboConnect(Host, Port),
    call_cleanup(run(fetch_attention, s0, _), aiboDisconnect),
    format("done~n").
