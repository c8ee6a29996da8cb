// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The world of the node behind the RMI interface of a BW4T server.
 *
 * <p>{@code java -cp OURS:JARS… legacyrobots.bw4t.RmiServer HOST RMI_PORT WIRE_PORT}. The
 * interfaces are those of the user's client jar, implemented by dynamic proxies. Prints "ready" and
 * ends with its standard input. Exit code 1 with one line about why it cannot start.
 */
final class RmiServer implements InvocationHandler {
    private static final String NETWORK = "nl.tudelft.bw4t.network.";
    private static final String BOUND_NAME = "BW4TServer";
    private static final int PING_PERIOD_MS = 1000;
    private static final long NO_SUCH_METHOD = 0x6c656761637972L;

    private final String wireHost;
    private final int wirePort;
    private final ClassLoader loader = RmiServer.class.getClassLoader();
    private final Terms terms;
    private final MapObjects maps;
    private final Wire wire;
    private final Map<Object, Client> clients = new ConcurrentHashMap<>();

    private RmiServer(String wireHost, int wirePort)
            throws IOException, Refusal, ReflectiveOperationException {
        this.wireHost = wireHost;
        this.wirePort = wirePort;
        terms = new Terms(loader);
        maps = new MapObjects(loader);
        wire = new Wire(wireHost, wirePort, event -> {}, () -> System.exit(1));
        wire.request("hello", "eis", terms.version(), "name", "rmi");
    }

    public static void main(String[] arguments) throws IOException {
        String host = arguments[0];
        int port = Integer.parseInt(arguments[1]);
        System.setProperty("java.rmi.server.hostname", host);
        System.setProperty("sun.rmi.transport.tcp.responseTimeout", "10000");
        try {
            RmiServer server = new RmiServer("127.0.0.1", Integer.parseInt(arguments[2]));
            server.serve(host, port);
        } catch (ClassNotFoundException e) {
            end("the jars lack the class " + e.getMessage() + ": is the BW4T client jar there?");
        } catch (LinkageError e) {
            end("the jars lack the class " + e.getMessage() + ": is JAXB (libjaxb-java) there?");
        } catch (Exception e) {
            end(reason(e));
        }
        System.out.println("ready");
        System.out.flush();
        while (System.in.read() >= 0) { // until the node closes it, or ends
        }
        System.exit(0);
    }

    private static void end(String sentence) {
        System.out.println(sentence);
        System.out.flush();
        System.exit(1);
    }

    static String reason(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void serve(String host, int port) throws IOException, ReflectiveOperationException {
        InetAddress address = InetAddress.getByName(host);
        RMIServerSocketFactory sockets = number -> new PromptServerSocket(number, address);
        Class<?> actions;
        try {
            actions = Class.forName(NETWORK + "BW4TServerHiddenActions", true, loader);
        } catch (ClassNotFoundException e) {
            actions = Class.forName(NETWORK + "BW4TServerActions", true, loader);
        }
        Class.forName("nl.tudelft.bw4t.map.NewMap", true, loader).getMethods(); // needs JAXB
        Remote proxy = (Remote) Proxy.newProxyInstance(loader, new Class<?>[] {actions}, this);
        Registry registry = LocateRegistry.createRegistry(port, null, sockets);
        registry.rebind(BOUND_NAME, UnicastRemoteObject.exportObject(proxy, 0, null, sockets));
        exported = proxy;
        ScheduledExecutorService pings = Executors.newScheduledThreadPool(1, RmiServer::daemon);
        pings.scheduleWithFixedDelay(
                this::ping, PING_PERIOD_MS, PING_PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    /** Keeps the exported object from being collected. */
    @SuppressWarnings("unused")
    private static volatile Remote exported;

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "clients");
        thread.setDaemon(true);
        return thread;
    }

    // --- What the clients call --------------------------------------------------------------

    @Override
    public Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        switch (method.getName()) {
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(this);
            case "toString":
                return "the world of a ROS 2 node";
            default:
        }
        try {
            return carryOut(method.getName(), arguments);
        } catch (Refusal refusal) {
            throw asDeclared(method, terms.exception(refusal.kind, refusal.getMessage()));
        } catch (InvocationTargetException e) {
            throw new RemoteException(reason(e), e.getCause());
        } catch (IOException | ReflectiveOperationException | IllegalArgumentException e) {
            throw e instanceof RemoteException ? e : new RemoteException(reason(e));
        }
    }

    private static Exception asDeclared(Method method, Exception error) {
        if (error instanceof RuntimeException) {
            return error;
        }
        for (Class<?> declared : method.getExceptionTypes()) {
            if (declared != RemoteException.class && declared.isInstance(error)) {
                return error;
            }
        }
        if (method.getName().equals("performEntityAction")) {
            return new RemoteException("action failed", error);
        }
        // A RemoteException would be the end of the environment for the client.
        return new IllegalStateException(error.getMessage());
    }

    private Object carryOut(String method, Object[] arguments)
            throws IOException, Refusal, ReflectiveOperationException {
        switch (method) {
            case "registerClient":
                register(arguments);
                return null;
            case "unregisterClient":
                Client client = clients.remove(arguments[0]);
                if (client != null) {
                    client.close();
                }
                return null;
            case "registerAgent":
                Client registered = clients.get(arguments[1]);
                if (registered == null) {
                    throw new Refusal("AgentException", "the client has not registered");
                }
                return registered.own.request("register_agent", "agent", arguments[0]);
            case "getClientAgents":
                Client asked = clients.get(arguments[0]);
                return asked == null ? new HashSet<>() : names(asked.own.request("own_agents"), true);
            case "unregisterAgent":
                return wire.request("unregister_agent", "agent", arguments[0]);
            case "associateEntity":
                return wire.request("associate", "agent", arguments[0], "entity", arguments[1]);
            case "freeEntity":
                return wire.request("free_entity", "entity", arguments[0]);
            case "freeAgent":
                return wire.request("free_agent", "agent", arguments[0]);
            case "freePair":
                return wire.request("free_pair", "agent", arguments[0], "entity", arguments[1]);
            case "getAgents":
                return names(wire.request("agents"), false);
            case "getEntities":
                return names(wire.request("entities"), false);
            case "getFreeEntities":
                return names(wire.request("free_entities"), false);
            case "getAssociatedEntities":
                return names(wire.request("associated_entities", "agent", arguments[0]), true);
            case "getAssociatedAgents":
                return names(wire.request("associated_agents", "entity", arguments[0]), true);
            case "getType":
                return wire.request("type", "entity", arguments[0]);
            case "getState":
                return terms.state((String) wire.request("state"));
            case "getAllPerceptsFromEntity":
            case "getPerceptsFor":
                return terms.update(wire.request("percepts", "entity", arguments[0]));
            case "performEntityAction":
                return act((String) arguments[0], arguments[1]);
            case "isSupportedByEnvironment":
                return !((List<?>) wire.request("entities")).isEmpty();
            case "requestStart":
                return wire.request("start");
            case "requestPause":
                return wire.request("pause");
            case "requestInit":
                return initialise((Map<?, ?>) arguments[0]);
            case "requestReset":
                throw new Refusal("ManagementException", "not implemented");
            case "stopServer":
                System.err.println("a client asked to stop the server: the node decides about that");
                return null;
            default: // queryProperty, queryEntityProperty
                return null;
        }
    }

    private static Object names(Object reply, boolean asSet) {
        List<Object> list = new ArrayList<>((List<?>) reply);
        return asSet ? new HashSet<>(list) : list;
    }

    private Object act(String entity, Object action)
            throws IOException, Refusal, ReflectiveOperationException {
        String name = (String) Terms.call(action, "getName");
        List<Object> values;
        try {
            values = terms.values((Iterable<?>) Terms.call(action, "getParameters"));
        } catch (IllegalArgumentException e) {
            throw new Refusal("ActException", "action " + name + " has " + e.getMessage());
        }
        Object answer =
                wire.request("act", "entity", entity, "action", name, "args", values);
        if (answer == null || !terms.version().equals("0.5")) {
            return null;
        }
        List<Object> percept = new ArrayList<>();
        percept.add(name);
        percept.add(answer);
        return terms.percept(percept);
    }

    private Object initialise(Map<?, ?> parameters)
            throws IOException, Refusal, ReflectiveOperationException {
        Object map = parameters.get("map");
        if (map == null) {
            return null;
        }
        if (map.getClass().getSimpleName().equals("MapParameter")) {
            Object found = Terms.call(map, "getMap");
            try {
                Object xml = found.getClass().getMethod("toXML", found.getClass()).invoke(null, found);
                return wire.request("init", "xml", xml);
            } catch (InvocationTargetException | LinkageError e) {
                throw new Refusal(
                        "ManagementException",
                        "the client's map cannot be read (is JAXB among the jars?): " + reason(e));
            }
        }
        return wire.request("init", "map", String.valueOf(terms.value(map)));
    }

    // --- Clients --------------------------------------------------------------------------------

    private void register(Object[] arguments)
            throws IOException, Refusal, ReflectiveOperationException {
        Object stub = arguments[0];
        Client old = clients.remove(stub);
        if (old != null) {
            old.close();
        }
        Client client = new Client(stub);
        try {
            Object entities;
            if (arguments[1] instanceof Integer) {
                Object speed = arguments.length > 3 ? arguments[3] : null;
                entities =
                        client.own.request(
                                "register",
                                "agents", arguments[1],
                                "humans", arguments[2],
                                "ticks_per_second", speed,
                                "as_original", true);
            } else {
                entities = client.own.request("register", "config", config(arguments[1]), "as_original", true);
            }
            clients.put(stub, client);
            client.call("useMap", maps.map((Map<?, ?>) wire.request("map")));
            client.call("handleStateChange", terms.state((String) wire.request("state")));
            for (Object entity : (List<?>) entities) {
                client.call("handleNewEntity", entity);
            }
        } catch (Refusal e) {
            client.close();
            throw new Refusal("IllegalState", e.getMessage());
        } catch (IOException | ReflectiveOperationException | RuntimeException e) {
            clients.remove(stub);
            client.close();
            throw e;
        }
    }

    private static Map<String, Object> config(Object config) throws ReflectiveOperationException {
        Map<String, Object> result = new LinkedHashMap<>();
        List<Object> bots = new ArrayList<>();
        for (Object bot : (Iterable<?>) Terms.call(config, "getBots")) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", Terms.call(bot, "getBotName"));
            fields.put("controller", Terms.call(Terms.call(bot, "getBotController"), "name"));
            fields.put("amount", Terms.call(bot, "getBotAmount"));
            fields.put("size", Terms.call(bot, "getBotSize"));
            fields.put("speed", Terms.call(bot, "getBotSpeed"));
            fields.put("battery_enabled", Terms.call(bot, "isBatteryEnabled"));
            fields.put("battery_capacity", Terms.call(bot, "getBotBatteryCapacity"));
            fields.put("grippers", Terms.call(bot, "getGrippers"));
            fields.put("color_blind_handicap", Terms.call(bot, "getColorBlindHandicap"));
            fields.put("gripper_handicap", Terms.call(bot, "getGripperHandicap"));
            fields.put("move_speed_handicap", Terms.call(bot, "getMoveSpeedHandicap"));
            fields.put("size_overload_handicap", Terms.call(bot, "getSizeOverloadHandicap"));
            bots.add(fields);
        }
        List<Object> epartners = new ArrayList<>();
        for (Object epartner : (Iterable<?>) Terms.call(config, "getEpartners")) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", Terms.call(epartner, "getEpartnerName"));
            fields.put("amount", Terms.call(epartner, "getEpartnerAmount"));
            fields.put("gps", Terms.call(epartner, "isGps"));
            fields.put("forget_me_not", Terms.call(epartner, "isForgetMeNot"));
            epartners.add(fields);
        }
        result.put("bots", bots);
        result.put("epartners", epartners);
        return result;
    }

    private void ping() {
        for (Client client : new ArrayList<>(clients.values())) {
            client.ping();
        }
    }

    /** Its connections send at once: RMI's small writes would wait 40 ms for each other. */
    private static final class PromptServerSocket extends ServerSocket {
        PromptServerSocket(int port, InetAddress address) throws IOException {
            super(port, 50, address);
        }

        @Override
        public Socket accept() throws IOException {
            Socket socket = super.accept();
            socket.setTcpNoDelay(true);
            return socket;
        }
    }

    /** One registered client: its callbacks, and a connection of its own to the world. */
    private final class Client {
        private final Object stub;
        private final Wire own;
        private final Map<String, Method> methods = new HashMap<>();
        private final ExecutorService callbacks =
                Executors.newSingleThreadExecutor(RmiServer::daemon);

        Client(Object stub) throws IOException, Refusal, ReflectiveOperationException {
            this.stub = stub;
            Class<?> actions = Class.forName(NETWORK + "BW4TClientActions", true, loader);
            for (Method method : actions.getMethods()) {
                methods.put(method.getName(), method);
            }
            own = new Wire(wireHost, wirePort, this::tell, this::lost);
            own.request("hello", "eis", terms.version(), "name", "rmi client");
        }

        void call(String method, Object... arguments)
                throws RemoteException, ReflectiveOperationException {
            try {
                methods.get(method).invoke(stub, arguments);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RemoteException) {
                    throw (RemoteException) e.getCause();
                }
                throw e;
            }
        }

        private void tell(Map<?, ?> event) {
            callbacks.execute(
                    () -> {
                        try {
                            if (event.get("event").equals("state")) {
                                call("handleStateChange", terms.state((String) event.get("state")));
                            } else if (event.get("event").equals("deleted")) {
                                call(
                                        "handleDeletedEntity",
                                        event.get("entity"),
                                        names(event.get("agents"), false));
                            }
                        } catch (IOException | ReflectiveOperationException e) {
                            System.err.println("a client could not be told: " + reason(e));
                        }
                    });
        }

        /** Looks whether the client is alive: it answers a call of an unknown method with no. */
        void ping() {
            try {
                RemoteObject object = (RemoteObject) Proxy.getInvocationHandler(stub);
                object.getRef().invoke(
                        (Remote) stub, Object.class.getMethod("hashCode"), null, NO_SUCH_METHOD);
            } catch (java.rmi.ConnectException
                    | java.rmi.ConnectIOException
                    | java.rmi.NoSuchObjectException e) {
                System.err.println("a client is gone: " + reason(e));
                clients.remove(stub);
                close();
            } catch (Exception e) {
                // it has answered, or takes its time
            }
        }

        private void lost() {
            clients.remove(stub);
            callbacks.shutdown();
        }

        void close() {
            own.close();
        }
    }
}
