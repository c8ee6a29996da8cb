% SPDX-FileCopyrightText: 2026 Legacy Robots contributors
% SPDX-License-Identifier: Apache-2.0
/** <module> The external predicates of the Golog-Tekkotsu Interface, for SWI-Prolog

The document's AiboPred module was C code for ECLiPSe Prolog. Here are its predicates for SWI-Prolog,
over the same wire: a header {int type, int len}, a body, and for some commands a reply.

    ?- use_module(aibopred).
    ?- aiboConnect('127.0.0.1', 10100).
    ?- searchBall(pink, Found, T).
    ?- moveJoints([joint(neckPan, 30.0, 500)], T).
    ?- walk(100.0, 0.0, 0.0, -1, T).
    ?- aiboDisconnect.

The last argument of each predicate is the time of temporal Golog, the start time of the action. It
belongs to the interpreter and is not sent: given as a number it is left alone, unbound it becomes the
present time in seconds.

Numbers are in the units of the wire, as the original passed them on: joint targets in degrees, walks in
mm/s, mm/s and rad/s (walkSteps: mm, mm and rad), times in ms; sensors report joints in radians, distances
in mm, accelerations in m/s^2. Colours are pink, blue, green, yellow, orange. Joints have the names of
GTI (neckTilt1, neckPan, neckTilt2, leftFrontLegJ1, ...) or Tekkotsu ('NECK:pan', ...), other sensors
Tekkotsu's ('NearIRDist', 'HeadBut', ...). What the robot does not measure is nan.

Errors: a wrong argument is a type_error or domain_error and nothing is sent. A robot that is not there,
does not answer or answers nonsense is error(aibo(Reason), _), and the connection is closed.

The original's numbers are lost (TCPComm.h); those below are a reconstruction, the same as in the wire table
gti-le of the bridge. They are dynamic facts, so that who has the real ones can replace them.
*/
:- module(aibopred,
          [ aiboConnect/2,              % +Host, +Port
            aiboDisconnect/0,
            querySensors/3,             % +Names, -Values, ?T
            queryBall/6,                % +Colour, -Visible, -X, -Y, -Area, ?T
            searchBall/3,               % +Colour, -Found, ?T
            moveJoints/2,               % +JointCommands, ?T
            motion/2,                   % +File, ?T
            walk/5,                     % +DX, +DY, +DA, +N, ?T
            walkSteps/5                 % +DX, +DY, +DA, +N, ?T
          ]).
:- use_module(library(socket)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(error)).

:- dynamic
    wire_type/2, wire_colour/2, wire_id/2, wire_joint_name/2, joint_range/3, ball_layout/1,
    reply_timeout/1, search_timeout/1, connection/3.

% --- the numbers of the wire ---------------------------------------------------------------

wire_type(query_sensors, 1).
wire_type(query_ball, 2).
wire_type(search_ball, 3).
wire_type(move_joints, 4).
wire_type(motion, 5).
wire_type(walk, 6).
wire_type(walk_steps, 7).

wire_colour(pink, 0).
wire_colour(blue, 1).
wire_colour(green, 2).
wire_colour(yellow, 3).
wire_colour(orange, 4).

%   Layout of struct Ball: a list of fields, each NAME:int32, NAME:float64 or pad(Bytes).
ball_layout([x:float64, y:float64, area:float64, visible:int32, colour:int32]).

wire_id('LFr:rotor', 0).        wire_id('LFr:elvtr', 1).        wire_id('LFr:knee', 2).
wire_id('RFr:rotor', 3).        wire_id('RFr:elvtr', 4).        wire_id('RFr:knee', 5).
wire_id('LBk:rotor', 6).        wire_id('LBk:elvtr', 7).        wire_id('LBk:knee', 8).
wire_id('RBk:rotor', 9).        wire_id('RBk:elvtr', 10).       wire_id('RBk:knee', 11).
wire_id('NECK:tilt', 12).       wire_id('NECK:pan', 13).        wire_id('NECK:nod', 14).
wire_id('TAIL:tilt', 15).       wire_id('TAIL:pan', 16).        wire_id('MOUTH', 17).
wire_id('LFrPaw', 100).         wire_id('RFrPaw', 101).         wire_id('LBkPaw', 102).
wire_id('RBkPaw', 103).         wire_id('ChinBut', 104).        wire_id('HeadBut', 105).
wire_id('FrontBackBut', 106).   wire_id('MiddleBackBut', 107).  wire_id('RearBackBut', 108).
wire_id('WirelessSw', 109).
wire_id('NearIRDist', 200).     wire_id('FarIRDist', 201).      wire_id('ChestIRDist', 202).
wire_id('BAccel', 203).         wire_id('LAccel', 204).         wire_id('DAccel', 205).
wire_id('PowerRemain', 206).    wire_id('PowerThermo', 207).    wire_id('PowerCapacity', 208).
wire_id('PowerVoltage', 209).   wire_id('PowerCurrent', 210).

%   Ranges of the joints in degrees, by what follows the colon of a leg's joint and else by name; the
%   bridge's own. A robot that gets an angle outside hangs up.
joint_range('LBk:rotor', -130, 115).    joint_range('RBk:rotor', -130, 115).
joint_range(rotor, -115, 115).          joint_range(elvtr, -10, 88).
joint_range(knee, -25, 122).            joint_range('NECK:tilt', -75, 0).
joint_range('NECK:pan', -88, 88).       joint_range('NECK:nod', -15, 45).
joint_range('TAIL:tilt', 5, 60).        joint_range('TAIL:pan', -45, 45).
joint_range('MOUTH', -55, -3).

wire_joint_name(leftFrontLegJ1, 'LFr:rotor').
wire_joint_name(leftFrontLegJ2, 'LFr:elvtr').
wire_joint_name(leftFrontLegJ3, 'LFr:knee').
wire_joint_name(rightFrontLegJ1, 'RFr:rotor').
wire_joint_name(rightFrontLegJ2, 'RFr:elvtr').
wire_joint_name(rightFrontLegJ3, 'RFr:knee').
wire_joint_name(leftRearLegJ1, 'LBk:rotor').
wire_joint_name(leftRearLegJ2, 'LBk:elvtr').
wire_joint_name(leftRearLegJ3, 'LBk:knee').
wire_joint_name(rightRearLegJ1, 'RBk:rotor').
wire_joint_name(rightRearLegJ2, 'RBk:elvtr').
wire_joint_name(rightRearLegJ3, 'RBk:knee').
wire_joint_name(neckTilt1, 'NECK:tilt').
wire_joint_name(neckPan, 'NECK:pan').
wire_joint_name(neckTilt2, 'NECK:nod').
wire_joint_name(tailTilt, 'TAIL:tilt').
wire_joint_name(tailPan, 'TAIL:pan').
wire_joint_name(mouth, 'MOUTH').

%   Seconds to wait for an answer.
reply_timeout(2.0).
search_timeout(20.0).

% --- the connection ------------------------------------------------------------------------

%!  aiboConnect(+Host, +Port) is det.
%
%   Connect with a GTI server; an earlier connection is closed.

aiboConnect(Host, Port) :-
    must_be(atomic, Host),
    must_be(between(1, 65535), Port),
    aiboDisconnect,
    catch(setup_call_catcher_cleanup(
              tcp_socket(Socket),
              tcp_connect(Socket, Host:Port),
              Catcher,
              ( Catcher == exit -> true ; tcp_close_socket(Socket) )),
          error(socket_error(_, Reason), _),
          throw_aibo(cannot_reach(Host:Port, Reason))),
    tcp_setopt(Socket, nodelay),
    tcp_open_socket(Socket, In, Out),
    maplist([Stream]>>set_stream(Stream, encoding(octet)), [In, Out]),
    set_stream(Out, buffer(full)),
    asserta(connection(Host:Port, In, Out)).

%!  aiboDisconnect is det.
%
%   Close the connection, if there is one. A robot that walks may go on walking.

aiboDisconnect :-
    forall(retract(connection(_, In, Out)),
           ( close(Out, [force(true)]), close(In, [force(true)]) )).

% --- the predicates, in the order of the document's table ----------------------------------

%!  querySensors(+Names, -Values, ?T) is det.
%
%   The latest value of each sensor, in order. Blocks until the answer is there.

querySensors(Names, Values, T) :-
    must_be(list(atom), Names),
    length(Names, Count),
    must_be(between(1, 64), Count),
    maplist(sensor_id, Names, Ids),
    start_time(T),
    phrase((int32(Count), int32s(Ids)), Body),
    Size is 8 * Count,
    reply_timeout(Timeout),
    ask(query_sensors, Body, Size, Timeout, Reply),
    phrase(float64s(Count, Values), Reply).

%!  queryBall(+Colour, -Visible, -X, -Y, -Area, ?T) is det.
%
%   What the camera last saw of the ball: Visible is 1 or 0, X and Y are the middle of its region in
%   the image, Area is its size. Those three are 0.0 while it is not visible.

queryBall(Colour, Visible, X, Y, Area, T) :-
    colour_number(Colour, Number),
    start_time(T),
    phrase(int32(Number), Body),
    ball_layout(Layout),
    layout_size(Layout, Size),
    reply_timeout(Timeout),
    ask(query_ball, Body, Size, Timeout, Reply),
    phrase(fields(Layout, Fields), Reply),
    memberchk(visible=Flag, Fields),
    (   memberchk(Flag, [0, 1]),
        ( memberchk(colour=Other, Fields) -> Other == Number ; true )
    ->  true
    ;   nonsense(query_ball, Fields)
    ),
    Visible = Flag,
    (   Flag == 1
    ->  memberchk(x=X, Fields), memberchk(y=Y, Fields), memberchk(area=Area, Fields)
    ;   X = 0.0, Y = 0.0, Area = 0.0
    ).

%!  searchBall(+Colour, -Found, ?T) is det.
%
%   Look around for a ball; Found is 1, and the head points at the ball, or 0. Blocks until the search
%   is over.

searchBall(Colour, Found, T) :-
    colour_number(Colour, Number),
    start_time(T),
    phrase(int32(Number), Body),
    search_timeout(Timeout),
    ask(search_ball, Body, 4, Timeout, Reply),
    phrase(int32(Flag), Reply),
    ( memberchk(Flag, [0, 1]) -> Found = Flag ; nonsense(search_ball, Flag) ).

%!  moveJoints(+JointCommands, ?T) is det.
%
%   Move any number of joints. Each command is joint(Name, Degrees), as fast as the joint can, or
%   joint(Name, Degrees, Milliseconds). Returns at once. A joint that is named twice, and an angle outside
%   its joint's range, are a domain_error.

moveJoints(JointCommands, T) :-
    must_be(list, JointCommands),
    length(JointCommands, Count),
    must_be(between(1, 18), Count),
    maplist(joint_target, JointCommands, Targets),
    findall(Id, member(target(Id, _, _), Targets), Ids),
    ( is_set(Ids) -> true ; domain_error(distinct_joints, JointCommands) ),
    start_time(T),
    phrase((int32(Count), int32(0), joint_targets(Targets)), Body),
    tell(move_joints, Body).

%!  motion(+File, ?T) is det.
%
%   Play a motion sequence file that the robot has. Returns at once; the robot does not tell when it
%   does not have the file.

motion(File, T) :-
    must_be(atom, File),
    atom_codes(File, Codes),
    length(Codes, Length),
    must_be(between(1, 64), Length),
    (   forall(member(Code, Codes), file_code(Code))
    ->  true
    ;   domain_error(motion_file_name, File)
    ),
    start_time(T),
    append(Codes, [0], Body),
    tell(motion, Body).

%!  walk(+DX, +DY, +DA, +N, ?T) is det.
%
%   Walk with a velocity: mm/s forward, mm/s to the left, rad/s counter-clockwise; for N steps, or
%   without end where N is below 0. walk(0, 0, 0, -1, T) stops. Returns at once.

walk(DX, DY, DA, N, T) :-
    walk_body(DX, DY, DA, N, Body),
    start_time(T),
    tell(walk, Body).

%!  walkSteps(+DX, +DY, +DA, +N, ?T) is det.
%
%   Walk over a displacement (mm, mm, rad) in N steps, then stand. Returns at once. The name of the
%   document's second walking predicate is lost.

walkSteps(DX, DY, DA, N, T) :-
    must_be(positive_integer, N),
    walk_body(DX, DY, DA, N, Body),
    start_time(T),
    tell(walk_steps, Body).

walk_body(DX, DY, DA, N, Body) :-
    maplist(must_be(number), [DX, DY, DA]),
    must_be(integer, N),
    phrase((float64(DX), float64(DY), float64(DA), int32(N), int32(0)), Body).

start_time(T) :- var(T), !, get_time(T).
start_time(T) :- must_be(number, T).

% --- names and numbers ---------------------------------------------------------------------

colour_number(Colour, Number) :-
    must_be(atom, Colour),
    (   wire_colour(Colour, Number)
    ->  true
    ;   domain_error(ball_colour, Colour)
    ).

sensor_id(Name, Id) :-
    ( wire_joint_name(Name, Tekkotsu) -> true ; Tekkotsu = Name ),
    (   wire_id(Tekkotsu, Id)
    ->  true
    ;   domain_error(sensor, Name)
    ).

joint_target(joint(Name, Angle), target(Id, 0, Angle)) :- !,
    joint_id(Name, Id),
    check_angle(Name, Angle).
joint_target(joint(Name, Angle, Time), target(Id, Time, Angle)) :- !,
    joint_id(Name, Id),
    check_angle(Name, Angle),
    must_be(nonneg, Time).
joint_target(Other, _) :- domain_error(joint_command, Other).

joint_id(Name, Id) :-
    must_be(atom, Name),
    (   sensor_id(Name, Id), Id < 18
    ->  true
    ;   domain_error(joint, Name)
    ).

check_angle(Name, Angle) :-
    must_be(number, Angle),
    ( wire_joint_name(Name, Joint) -> true ; Joint = Name ),
    ( joint_range(Joint, Low, High) -> true
    ; atomic_list_concat([_, Part], ':', Joint), joint_range(Part, Low, High) -> true
    ; Low = -inf, High = inf                     % a joint that was added to the facts
    ),
    (   Angle >= Low - 0.05, Angle =< High + 0.05      % what was measured may lie a little beyond
    ->  true
    ;   domain_error(degrees(Name, Low, High), Angle)
    ).

file_code(Code) :- code_type(Code, csym), Code < 128, !.
file_code(0'.).
file_code(0'-).

% --- commands and replies ------------------------------------------------------------------

tell(Command, Body) :-
    connected(_, Out),
    guarded(Command, send(Out, Command, Body)).

ask(Command, Body, Size, Timeout, Reply) :-
    connected(In, Out),
    set_stream(In, timeout(Timeout)),
    guarded(Command, ( send(Out, Command, Body), receive(Size, In, Reply) )).

connected(In, Out) :-
    (   connection(_, In, Out)
    ->  true
    ;   throw_aibo(not_connected)
    ).

%   Header and body leave in one write: the stream is fully buffered and flushed once.
send(Out, Command, Body) :-
    wire_type(Command, Type),
    length(Body, Length),
    phrase((int32(Type), int32(Length)), Header),
    forall(member(Byte, Header), put_byte(Out, Byte)),
    forall(member(Byte, Body), put_byte(Out, Byte)),
    flush_output(Out).

receive(0, _, []) :- !.
receive(Size, In, [Byte|Bytes]) :-
    get_byte(In, Byte),
    ( Byte =:= -1 -> throw(aibo_closed) ; true ),
    Rest is Size - 1,
    receive(Rest, In, Bytes).

%   A connection on which anything went wrong is closed: what is left of it cannot be made sense of.
guarded(Command, Goal) :-
    catch(Goal, Error, true),
    (   var(Error)
    ->  true
    ;   aiboDisconnect,
        failure(Error, Reason),
        throw_aibo(failed(Command, Reason))
    ).

failure(aibo_closed, 'the robot has closed the connection') :- !.
failure(error(timeout_error(_, _), _), 'the robot does not answer') :- !.
failure(error(Formal, _), Formal) :- !.
failure(Error, Error).

nonsense(Command, What) :-
    aiboDisconnect,
    throw_aibo(failed(Command, nonsense(What))).

throw_aibo(Reason) :- throw(error(aibo(Reason), _)).

:- multifile prolog:error_message//1.

prolog:error_message(aibo(Reason)) --> [ 'AIBO: ~p'-[Reason] ].

% --- bytes, little endian ------------------------------------------------------------------

layout_size([], 0).
layout_size([Field|Fields], Size) :-
    field_size(Field, One),
    layout_size(Fields, Rest),
    Size is One + Rest.

field_size(_:int32, 4).
field_size(_:float64, 8).
field_size(pad(Size), Size).

fields([], []) --> [].
fields([Name:int32|Layout], [Name=Value|Fields]) --> !, int32(Value), fields(Layout, Fields).
fields([Name:float64|Layout], [Name=Value|Fields]) --> !, float64(Value), fields(Layout, Fields).
fields([pad(Size)|Layout], Fields) -->
    { length(Padding, Size) }, Padding, fields(Layout, Fields).

int32s([]) --> [].
int32s([Value|Values]) --> int32(Value), int32s(Values).

float64s(0, []) --> !, [].
float64s(Count, [Value|Values]) -->
    float64(Value), { Rest is Count - 1 }, float64s(Rest, Values).

joint_targets([]) --> [].
joint_targets([target(Id, Time, Angle)|Targets]) -->
    int32(Id), int32(Time), float64(Angle), joint_targets(Targets).

%!  int32(?Value)//
%
%   Four bytes of a signed integer, in both directions.

int32(Value) -->
    { integer(Value), !, must_be(between(-0x80000000, 0x7fffffff), Value),
      Bits is Value /\ 0xffffffff },
    bytes(4, Bits).
int32(Value) -->
    bytes(4, Bits),
    { Bits >= 0x80000000 -> Value is Bits - 0x100000000 ; Value = Bits }.

%!  float64(?Value)//
%
%   Eight bytes of an IEEE 754 double, in both directions. Values below the smallest normal number are
%   written as zero.

float64(Value) --> { number(Value), !, Float is float(Value), float_bits(Float, Bits) }, bytes(8, Bits).
float64(Value) --> bytes(8, Bits), { bits_float(Bits, Value) }.

bytes(0, 0) --> !, [].
bytes(Count, Bits) -->
    { integer(Bits) }, !,
    { Byte is Bits /\ 0xff, More is Bits >> 8, Rest is Count - 1 },
    [Byte], bytes(Rest, More).
bytes(Count, Bits) -->
    [Byte], { Rest is Count - 1 }, bytes(Rest, More), { Bits is More << 8 \/ Byte }.

float_bits(Float, Bits) :-
    ( Float < 0.0 -> Sign = 1, Size is -Float ; Sign = 0, Size = Float ),
    (   Size < 2.2250738585072014e-308
    ->  Bits = 0
    ;   Exact is rational(Size),
        rational(Exact, Numerator, Denominator),
        Guess is msb(Numerator) - msb(Denominator),
        exponent(Exact, Guess, Exponent),
        scaled(Exact, 52 - Exponent, Mantissa),
        Bits is Sign << 63 \/ (Exponent + 1023) << 52 \/ (Mantissa /\ 0xfffffffffffff)
    ).

%   The exponent is the guess or one less.
exponent(Exact, Guess, Exponent) :-
    scaled(Exact, 52 - Guess, Mantissa),
    ( Mantissa >= 1 << 52 -> Exponent = Guess ; Exponent is Guess - 1 ).

%   Exact * 2 ^ Shift, rounded down.
scaled(Exact, ShiftExpression, Scaled) :-
    Shift is ShiftExpression,
    rational(Exact, Numerator, Denominator),
    (   Shift >= 0
    ->  Scaled is (Numerator << Shift) // Denominator
    ;   Down is -Shift,
        Scaled is Numerator // (Denominator << Down)
    ).

bits_float(Bits, Value) :-
    Exponent is Bits >> 52 /\ 0x7ff,
    Fraction is Bits /\ 0xfffffffffffff,
    (   Exponent =:= 0x7ff
    ->  ( Fraction =:= 0 -> Size is inf ; Size is nan )
    ;   Exponent =:= 0
    ->  Size is Fraction * 2.0 ** -1074
    ;   Size is (Fraction + (1 << 52)) * 2.0 ** (Exponent - 1075)
    ),
    ( Bits >> 63 =:= 1 -> Value is -Size ; Value = Size ).
