// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.InvalidClassException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.UnknownHostException;
import java.rmi.UnmarshalException;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A client of an original BW4T server, driven by JSON lines.
 *
 * <p>{@code java -cp OURS:JARS… legacyrobots.bw4t.OriginalClient HOST PORT AGENTS HUMANS}. It
 * registers, steers all robots that it gets, and then answers the requests of its standard input on
 * its standard output, see bw4t_bridge/original/__init__.py. It ends with its standard input.
 */
final class OriginalClient {
    private static final String NETWORK = "nl.tudelft.bw4t.network.";
    private static final int ENTITIES_TIMEOUT_S = 10;
    private static final int GOODBYE_TIMEOUT_MS = 2000;
    private static final int START_TIMEOUT_MS = 30000;
    private static final int PROBE_PAUSE_MS = 100;
    private static final int SETTLING_MS = 3000;
    private static final int STEP_MS = 200;

    private final ClassLoader loader = OriginalClient.class.getClassLoader();
    private final Terms terms = new Terms(loader);
    private final Map<String, Method> methods = new LinkedHashMap<>();
    private final ServerAddress address;
    private final Map<String, String> entities = new LinkedHashMap<>();
    private final List<String> agents = new ArrayList<>();
    private final List<Object> events = new ArrayList<>();
    private final BlockingQueue<String> arrivals = new LinkedBlockingQueue<>();
    private Remote callbacks;
    private Object server;
    private volatile Object map;

    private OriginalClient(ServerAddress address) throws ReflectiveOperationException {
        this.address = address;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err); // libraries may print
        ServerAddress address = new ServerAddress(arguments[0], Integer.parseInt(arguments[1]));
        Map<String, Object> first = new LinkedHashMap<>();
        OriginalClient client = null;
        try {
            System.setProperty("java.rmi.server.hostname", address.own());
            System.setProperty("sun.rmi.transport.tcp.responseTimeout", "5000");
            System.setProperty("sun.rmi.transport.connectionTimeout", "60000");
            RMISocketFactory.setSocketFactory(new ServerAddress.TimedSockets());
            client = new OriginalClient(address);
            client.connect(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            first = client.description();
        } catch (Refusal e) {
            refuse(out, e.getMessage());
        } catch (ClassNotFoundException e) {
            refuse(
                    out,
                    "the jars lack the class " + e.getMessage() + ": is the BW4T client jar there?");
        } catch (LinkageError e) {
            refuse(
                    out,
                    "the jars lack the class " + e.getMessage() + ": is JAXB (libjaxb-java) there?");
        } catch (Exception e) {
            refuse(out, RmiServer.reason(e));
        }
        say(out, first);
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        String line;
        while ((line = in.readLine()) != null) {
            say(out, client.answer((Map<?, ?>) Json.parse(line)));
        }
        client.leave();
        System.exit(0);
    }

    private static void refuse(PrintStream out, String text) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("event", "refused");
        message.put("text", text);
        say(out, message);
        System.exit(1);
    }

    private static void say(PrintStream out, Map<String, Object> message) {
        out.print(Json.format(message) + "\n");
        out.flush();
    }

    // --- Connecting -------------------------------------------------------------------------

    private void connect(int agents, int humans) throws Exception {
        Class<?> actions = Class.forName(NETWORK + "BW4TServerActions", true, loader);
        Class<?> client = Class.forName(NETWORK + "BW4TClientActions", true, loader);
        Class.forName("nl.tudelft.bw4t.map.NewMap", true, loader).getMethods(); // needs JAXB
        for (Method method : actions.getMethods()) {
            boolean isConfig =
                    method.getName().equals("registerClient")
                            && method.getParameterTypes()[1] != int.class;
            if (!isConfig) {
                methods.put(method.getName(), method);
            }
        }
        callbacks =
                (Remote) Proxy.newProxyInstance(loader, new Class<?>[] {client}, this::onCallback);
        UnicastRemoteObject.exportObject(callbacks, 0);
        Object found = address.find(actions);
        boolean isReady;
        do {
            server = found;
            isReady = awaitStart();
            found = address.find(actions);
        } while (!server.equals(found)); // 3.10 starts twice, with a new object
        boolean runs = isReady && String.valueOf(call("getState")).equals("RUNNING");
        if (runs) {
            // A robot that is being made has no battery yet: a step then ends the server's stepping.
            call("requestPause");
            Thread.sleep(STEP_MS); // for a step that had begun
        }
        try {
            join(agents, humans);
        } finally {
            if (runs) {
                call("requestStart");
            }
        }
    }

    private void join(int agents, int humans) throws Exception {
        register(agents, humans);
        try {
            associate(agents + humans);
        } catch (Exception e) {
            leave(); // or what it has got would stay taken
            throw e;
        }
    }

    private void associate(int robots) throws Exception {
        // Servers keep the names of agents whose client has gone.
        String unique = "_" + Long.toHexString(System.currentTimeMillis());
        for (int i = 0; i < robots; i++) {
            String entity = arrivals.poll(ENTITIES_TIMEOUT_S, TimeUnit.SECONDS);
            if (entity == null) {
                throw new Refusal(
                        "limit",
                        "the server gave " + i + " of " + robots
                                + " robots: its map has no more spawn points, or other clients"
                                + " have them");
            }
            String agent = "ros_" + entity + unique;
            call("registerAgent", agent, callbacks);
            agents.add(agent);
            call("associateEntity", agent, entity);
            entities.put(entity, (String) call("getType", entity));
        }
    }

    /**
     * Waits until a server that has just been started has its world: it is bound before. Robots that
     * come in between stand at (0, 0), or stop the loading of the map. Returns whether it answers as
     * it should.
     */
    private boolean awaitStart() throws Exception {
        long end = System.nanoTime() + START_TIMEOUT_MS * 1_000_000L;
        while (true) {
            try {
                registerClient(0, 0);
                break;
            } catch (NullPointerException e) {
                if (System.nanoTime() > end) {
                    throw new Refusal(
                            "start", "the server at " + address + " does not bring its world up");
                }
                Thread.sleep(PROBE_PAUSE_MS);
            } catch (Exception e) {
                return false; // register() says what is wrong
            }
        }
        Thread.sleep(SETTLING_MS); // the map is being loaded, of which the server tells nothing
        return true;
    }

    private void registerClient(int agents, int humans) throws Exception {
        if (methods.get("registerClient").getParameterCount() == 3) {
            call("registerClient", callbacks, agents, humans);
        } else {
            call("registerClient", callbacks, agents, humans, null); // at the server's speed
        }
    }

    private void register(int agents, int humans) throws Exception {
        try {
            registerClient(agents, humans);
        } catch (ConnectException | ConnectIOException | UnknownHostException e) {
            throw new Refusal(
                    "host name",
                    "the server at " + address + " tells clients to call an address that cannot be"
                            + " reached from here (" + RmiServer.reason(e)
                            + "): start it with -Djava.rmi.server.hostname=ADDRESS");
        } catch (Exception e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                boolean isHash = String.valueOf(cause.getMessage()).contains("method hash");
                if (isHash || cause instanceof InvalidClassException
                        || cause instanceof ClassNotFoundException) {
                    throw address.otherVersion(cause);
                }
            }
            throw new Refusal(
                    "limit",
                    "the server refused " + agents + " robots and " + humans + " humans: "
                            + RmiServer.reason(e)
                            + " It gives each spawn point once: ask for fewer, or start it again");
        }
    }

    private Map<String, Object> description() throws Exception {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("event", "connected");
        message.put("eis", terms.version());
        message.put("server", String.valueOf(server)); // with the id of the remote object
        message.put("state", String.valueOf(call("getState")));
        message.put("map", MapObjects.value(map));
        List<Object> named = new ArrayList<>();
        entities.forEach((name, type) -> named.add(Arrays.asList(name, type)));
        message.put("entities", named);
        return message;
    }

    private void leave() {
        Thread goodbye =
                new Thread(
                        () -> {
                            try {
                                call("unregisterClient", callbacks);
                            } catch (Exception e) {
                                System.err.println("unregistering failed: " + RmiServer.reason(e));
                            }
                        },
                        "goodbye");
        goodbye.setDaemon(true);
        goodbye.start();
        try {
            goodbye.join(GOODBYE_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Object call(String method, Object... arguments) throws Exception {
        try {
            return methods.get(method).invoke(server, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception) {
                throw (Exception) e.getCause();
            }
            throw e;
        }
    }

    // --- What the server calls ----------------------------------------------------------------

    private Object onCallback(Object proxy, Method method, Object[] arguments) {
        switch (method.getName()) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(this);
            case "toString":
                return "a ROS 2 node";
            case "useMap":
                map = arguments[0];
                return null;
            case "handleNewEntity":
                arrivals.add((String) arguments[0]);
                return null;
            case "handleDeletedEntity":
                note("deleted", arguments[0]);
                return null;
            case "handleStateChange":
                note("state", String.valueOf(arguments[0]));
                return null;
            default:
                return null;
        }
    }

    private void note(String event, Object value) {
        synchronized (events) {
            events.add(Arrays.asList(event, value));
        }
    }

    // --- What the bridge asks for ---------------------------------------------------------------

    private Map<String, Object> answer(Map<?, ?> request) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", request.get("id"));
        try {
            answer.put("value", carryOut(request));
        } catch (Exception e) {
            answer.put("error", kind(e));
            answer.put("text", RmiServer.reason(e));
        }
        return answer;
    }

    /** The simple name of an EIS exception, "lost" without a connection, else "refused". */
    private static String kind(Exception error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().startsWith("eis.exceptions.")) {
                return cause.getClass().getSimpleName();
            }
        }
        boolean isLost =
                error instanceof ConnectException
                        || error instanceof ConnectIOException
                        || error instanceof NoSuchObjectException
                        || error instanceof UnknownHostException
                        || error instanceof UnmarshalException;
        return isLost ? "lost" : "refused";
    }

    private Object carryOut(Map<?, ?> request) throws Exception {
        switch (String.valueOf(request.get("op"))) {
            case "poll":
                return poll();
            case "act":
                Object action =
                        terms.action(
                                (String) request.get("action"), (List<?>) request.get("args"));
                Object percept = call("performEntityAction", request.get("entity"), action);
                return percept == null ? null : terms.perceptValue(percept);
            case "start":
                return call("requestStart");
            case "pause":
                return call("requestPause");
            case "leave":
                // Robots without an agent wait where they are for the next client; those of a
                // client that is unregistered with its agents are lost to all.
                for (String agent : agents) {
                    call("unregisterAgent", agent);
                }
                return null;
            default:
                throw new IllegalArgumentException("there is no op " + request.get("op"));
        }
    }

    private Object poll() throws Exception {
        Map<String, Object> percepts = new LinkedHashMap<>();
        List<Object> told;
        synchronized (events) {
            told = new ArrayList<>(events);
            events.clear();
        }
        for (Object event : told) {
            List<?> pair = (List<?>) event;
            if (pair.get(0).equals("deleted")) {
                entities.remove(pair.get(1));
            }
        }
        if (entities.isEmpty()) {
            call("getState"); // raises where the server has gone
        }
        boolean isNew = methods.containsKey("getPerceptsFor");
        for (String entity : entities.keySet()) {
            Map<String, Object> update = new LinkedHashMap<>();
            if (isNew) {
                Object found = call("getPerceptsFor", entity);
                update.put("add", perceptValues(Terms.call(found, "getAddList")));
                update.put("delete", perceptValues(Terms.call(found, "getDeleteList")));
            } else {
                update.put("add", perceptValues(call("getAllPerceptsFromEntity", entity)));
                update.put("delete", new ArrayList<>());
            }
            percepts.put(entity, update);
        }
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("percepts", percepts);
        value.put("events", told);
        return value;
    }

    private List<Object> perceptValues(Object percepts) throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>();
        for (Object percept : (Iterable<?>) percepts) {
            values.add(terms.perceptValue(percept));
        }
        return values;
    }
}
