// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import eis.AgentListener;
import eis.EnvironmentInterfaceStandard;
import eis.EnvironmentListener;
import eis.exceptions.ActException;
import eis.exceptions.AgentException;
import eis.exceptions.EntityException;
import eis.exceptions.ManagementException;
import eis.exceptions.NoEnvironmentException;
import eis.exceptions.PerceiveException;
import eis.exceptions.QueryException;
import eis.exceptions.RelationException;
import eis.iilang.Action;
import eis.iilang.EnvironmentState;
import eis.iilang.Parameter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The blocks world of a ROS 2 node as an EIS environment: what EIS 0.5 and 0.7 have in common.
 *
 * <p>Parameters of {@code init}, with their defaults: host (127.0.0.1), port (8002), agents (1),
 * humans (0); serverip, serverport, agentcount and humancount are the same by the names of the
 * original's client. What concerns only its program is ignored, others are refused. Where the connection ends, the state is KILLED and requests raise
 * NoEnvironmentException.
 */
abstract class EisBase implements EnvironmentInterfaceStandard {
    private static final String DEFAULT_HOST = "127.0.0.1";
    private static final int DEFAULT_PORT = 8002;
    private static final Map<String, String> ORIGINAL_NAMES = new LinkedHashMap<>();
    private static final List<String> NAMES = Arrays.asList("host", "port", "agents", "humans");
    private static final List<String> IGNORED = Arrays.asList("clientip", "clientport", "launchgui", "goal");

    static {
        ORIGINAL_NAMES.put("serverip", "host");
        ORIGINAL_NAMES.put("serverport", "port");
        ORIGINAL_NAMES.put("agentcount", "agents");
        ORIGINAL_NAMES.put("humancount", "humans");
    }


    final Terms terms;
    private final List<EnvironmentListener> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService events =
            Executors.newSingleThreadExecutor(
                    work -> {
                        Thread thread = new Thread(work, "bw4t events");
                        thread.setDaemon(true);
                        return thread;
                    });
    private volatile Wire wire;
    private volatile EnvironmentState state = EnvironmentState.INITIALIZING;

    EisBase() throws ReflectiveOperationException {
        terms = new Terms(EisBase.class.getClassLoader());
    }

    // --- The connection -----------------------------------------------------------------------

    @Override
    public void init(Map<String, Parameter> given) throws ManagementException {
        if (wire != null) {
            throw new ManagementException("it is connected already");
        }
        Map<String, Parameter> parameters = byOurNames(given);
        try {
            String host = String.valueOf(given(parameters, "host", DEFAULT_HOST));
            Wire fresh = new Wire(host, number(parameters, "port", DEFAULT_PORT), this::onEvent, this::onClosed);
            wire = fresh;
            fresh.request("hello", "eis", terms.version());
            Object entities =
                    fresh.request(
                            "register",
                            "agents", number(parameters, "agents", 1),
                            "humans", number(parameters, "humans", 0));
            Object now = fresh.request("state");
            become(EnvironmentState.valueOf((String) now));
            for (Object entity : (List<?>) entities) {
                tell(listener -> listener.handleNewEntity((String) entity));
            }
        } catch (IOException | Refusal | ReflectiveOperationException e) {
            close();
            throw new ManagementException("the world cannot be joined: " + e.getMessage());
        }
    }

    private static Map<String, Parameter> byOurNames(Map<String, Parameter> given)
            throws ManagementException {
        Map<String, Parameter> result = new LinkedHashMap<>();
        for (Map.Entry<String, Parameter> each : given.entrySet()) {
            String name = ORIGINAL_NAMES.getOrDefault(each.getKey(), each.getKey());
            if (IGNORED.contains(name)) {
                continue;
            }
            if (!NAMES.contains(name)) {
                throw new ManagementException(
                        "init has no parameter " + each.getKey() + ", only " + String.join(", ", NAMES)
                                + " or " + String.join(", ", ORIGINAL_NAMES.keySet())
                                + "; map, speed and the like belong to the node");
            }
            if (result.put(name, each.getValue()) != null) {
                throw new ManagementException("init has " + name + " twice");
            }
        }
        return result;
    }

    private Object given(Map<String, Parameter> parameters, String name, Object otherwise)
            throws ReflectiveOperationException {
        Parameter found = parameters.get(name);
        return found == null ? otherwise : terms.value(found);
    }

    private int number(Map<String, Parameter> parameters, String name, int otherwise)
            throws ManagementException, ReflectiveOperationException {
        Object value = given(parameters, name, otherwise);
        try {
            return value instanceof Number
                    ? ((Number) value).intValue() : Integer.parseInt(String.valueOf(value));
        } catch (NumberFormatException e) {
            throw new ManagementException(name + " must be a whole number, not " + value);
        }
    }

    @Override
    public void kill() throws ManagementException {
        if (wire == null) {
            throw new ManagementException("it is not connected");
        }
        close();
        become(EnvironmentState.KILLED);
    }

    private void close() {
        Wire old = wire;
        wire = null;
        if (old != null) {
            old.close();
        }
    }

    private void onEvent(Map<?, ?> event) {
        if ("state".equals(event.get("event"))) {
            become(EnvironmentState.valueOf((String) event.get("state")));
        } else if ("deleted".equals(event.get("event"))) {
            String entity = (String) event.get("entity");
            tell(listener -> listener.handleDeletedEntity(entity, names(event.get("agents"))));
        } else if ("freed".equals(event.get("event"))) {
            String entity = (String) event.get("entity");
            tell(listener -> listener.handleFreeEntity(entity, names(event.get("agents"))));
        }
    }

    private void onClosed() {
        if (wire != null) {
            wire = null;
            become(EnvironmentState.KILLED);
        }
    }

    private void become(EnvironmentState now) {
        if (state != now) {
            state = now;
            tell(listener -> listener.handleStateChange(now));
        }
    }

    private void tell(java.util.function.Consumer<EnvironmentListener> what) {
        events.execute(() -> listeners.forEach(what));
    }

    /** Makes a request; raises Refusal, or NoEnvironmentException where there is no world. */
    final Object request(String op, Object... fields) throws Refusal {
        Wire current = wire;
        if (current == null) {
            throw new NoEnvironmentException("the world is not connected");
        }
        try {
            return current.request(op, fields);
        } catch (IOException e) {
            throw new NoEnvironmentException(e.getMessage(), e);
        }
    }

    private Object ask(String op, Object... fields) {
        try {
            return request(op, fields);
        } catch (Refusal e) {
            throw new NoEnvironmentException(e.getMessage(), e);
        }
    }

    static List<String> names(Object reply) {
        List<String> result = new ArrayList<>();
        for (Object name : (List<?>) reply) {
            result.add((String) name);
        }
        return result;
    }

    // --- Percepts and actions -----------------------------------------------------------------

    /** The entities that are meant: those given, or all of the agent. Raises Refusal. */
    private List<String> meant(String agent, String... entities) throws Refusal {
        List<String> own = names(request("associated_entities", "agent", agent));
        if (own.isEmpty()) {
            throw new Refusal("", "agent " + agent + " has no entity");
        }
        if (entities.length == 0) {
            return own;
        }
        for (String entity : entities) {
            if (!own.contains(entity)) {
                throw new Refusal("", agent + " does not control " + entity);
            }
        }
        return Arrays.asList(entities);
    }

    /** The answers to a poll, by entity: a List of Percepts, or a PerceptUpdate. */
    final Map<String, Object> poll(String agent, String... entities) throws PerceiveException {
        Map<String, Object> result = new LinkedHashMap<>();
        try {
            for (String entity : meant(agent, entities)) {
                result.put(entity, terms.update(request("percepts", "entity", entity)));
            }
        } catch (Refusal | ReflectiveOperationException e) {
            throw new PerceiveException(e.getMessage());
        }
        return result;
    }

    /** Carries an action out; returns the answers by entity, null where there is none. */
    final Map<String, Object> perform(String agent, Action action, String... entities)
            throws ActException {
        Map<String, Object> result = new LinkedHashMap<>();
        try {
            List<Object> arguments = terms.values(action.getParameters());
            for (String entity : meant(agent, entities)) {
                Object answer =
                        request("act", "entity", entity, "action", action.getName(), "args", arguments);
                result.put(entity, answer == null ? null : terms.percept(Arrays.asList(action.getName(), answer)));
            }
        } catch (Refusal | ReflectiveOperationException | IllegalArgumentException
                | NoEnvironmentException e) {
            throw new ActException(ActException.FAILURE, e.getMessage());
        }
        return result;
    }

    // --- Agents and entities ------------------------------------------------------------------

    @Override
    public void registerAgent(String agent) throws AgentException {
        try {
            request("register_agent", "agent", agent);
        } catch (Refusal e) {
            throw new AgentException(e.getMessage());
        }
    }

    @Override
    public void unregisterAgent(String agent) throws AgentException {
        try {
            request("unregister_agent", "agent", agent);
        } catch (Refusal e) {
            throw new AgentException(e.getMessage());
        }
    }

    @Override
    public List<String> getAgents() {
        return wire == null ? Collections.emptyList() : names(ask("own_agents"));
    }

    @Override
    public Collection<String> getEntities() {
        return wire == null ? Collections.emptyList() : names(ask("own_entities"));
    }

    @Override
    public Collection<String> getFreeEntities() {
        if (wire == null) {
            return Collections.emptyList();
        }
        Collection<String> own = getEntities();
        List<String> free = names(ask("free_entities"));
        free.retainAll(own);
        return free;
    }

    @Override
    public void associateEntity(String agent, String entity) throws RelationException {
        relate("associate", agent, entity);
    }

    @Override
    public void freePair(String agent, String entity) throws RelationException {
        relate("free_pair", agent, entity);
    }

    private void relate(String op, String agent, String entity) throws RelationException {
        try {
            request(op, "agent", agent, "entity", entity);
        } catch (Refusal e) {
            throw new RelationException(e.getMessage());
        }
    }

    @Override
    public void freeEntity(String entity) throws RelationException, EntityException {
        try {
            request("free_entity", "entity", entity);
        } catch (Refusal e) {
            throw new EntityException(e.getMessage());
        }
    }

    @Override
    public void freeAgent(String agent) throws RelationException {
        try {
            request("free_agent", "agent", agent);
        } catch (Refusal e) {
            throw new RelationException(e.getMessage());
        }
    }

    @Override
    public java.util.Set<String> getAssociatedEntities(String agent) throws AgentException {
        try {
            return new java.util.LinkedHashSet<>(names(request("associated_entities", "agent", agent)));
        } catch (Refusal e) {
            throw new AgentException(e.getMessage());
        }
    }

    @Override
    public Collection<String> getAssociatedAgents(String entity) throws EntityException {
        try {
            return names(request("associated_agents", "entity", entity));
        } catch (Refusal e) {
            throw new EntityException(e.getMessage());
        }
    }

    @Override
    public String getType(String entity) throws EntityException {
        try {
            return (String) request("type", "entity", entity);
        } catch (Refusal e) {
            throw new EntityException(e.getMessage());
        }
    }

    // --- The environment ----------------------------------------------------------------------

    @Override
    public void attachEnvironmentListener(EnvironmentListener listener) {
        if (!listeners.contains(listener)) {
            listeners.add(listener);
        }
    }

    @Override
    public void detachEnvironmentListener(EnvironmentListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void attachAgentListener(String agent, AgentListener listener) {
        // percepts are polled, none is pushed
    }

    @Override
    public void detachAgentListener(String agent, AgentListener listener) {
        // none was attached
    }

    @Override
    public void start() throws ManagementException {
        manage("start");
    }

    @Override
    public void pause() throws ManagementException {
        manage("pause");
    }

    private void manage(String op) throws ManagementException {
        try {
            request(op);
        } catch (Refusal e) {
            throw new ManagementException(e.getMessage());
        }
    }

    @Override
    public void reset(Map<String, Parameter> parameters) throws ManagementException {
        throw new ManagementException("the world belongs to the node: use its service reset");
    }

    @Override
    public EnvironmentState getState() {
        return state;
    }

    /** The version of the EIS that the jar was made for, which its loader asks for to the letter. */
    static String version(String otherwise) {
        InputStream file = EisBase.class.getResourceAsStream("eis_version");
        if (file == null) {
            return otherwise;
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII))) {
            return lines.readLine();
        } catch (IOException e) {
            return otherwise;
        }
    }

    @Override
    public boolean isStateTransitionValid(EnvironmentState before, EnvironmentState after) {
        return true;
    }

    @Override
    public boolean isInitSupported() {
        return true;
    }

    @Override
    public boolean isStartSupported() {
        return true;
    }

    @Override
    public boolean isPauseSupported() {
        return true;
    }

    @Override
    public boolean isKillSupported() {
        return true;
    }

    @Override
    public String queryProperty(String property) throws QueryException {
        return null;
    }

    @Override
    public String queryEntityProperty(String entity, String property) throws QueryException {
        return null;
    }
}
