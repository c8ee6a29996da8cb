// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A minimal agent platform: an EIS environment, driven by JSON lines. For tests.
 *
 * <p>{@code java -cp … legacyrobots.bw4t.EisClient ENVIRONMENT_CLASS}. A line {@code [method, …]}
 * calls a method of the environment; the answer is {"value": …} or {"error": class, "text": …}.
 * Besides those of EIS there are "percepts" (agent, for every EIS), "act" (agent, action,
 * arguments…), "events" (what the listener was told so far) and "poll_many" (agent, number: the
 * milliseconds that each of so many polls took, and the percepts).
 */
final class EisClient {
    private final Object environment;
    private final Terms terms = new Terms(EisClient.class.getClassLoader());
    private final List<Object> events = Collections.synchronizedList(new ArrayList<>());

    private EisClient(String name) throws ReflectiveOperationException {
        environment = Class.forName(name).getConstructor().newInstance();
        Class<?> listener = Class.forName("eis.EnvironmentListener");
        Object proxy =
                Proxy.newProxyInstance(
                        listener.getClassLoader(),
                        new Class<?>[] {listener},
                        (self, method, arguments) -> {
                            switch (method.getName()) {
                                case "equals":
                                    return self == arguments[0];
                                case "hashCode":
                                    return 1;
                                case "toString":
                                    return "EisClient";
                                default:
                                    List<Object> event = new ArrayList<>();
                                    event.add(method.getName());
                                    for (Object each : arguments) {
                                        event.add(each instanceof Collection ? each : "" + each);
                                    }
                                    events.add(event);
                                    return null;
                            }
                        });
        environment.getClass().getMethod("attachEnvironmentListener", listener)
                .invoke(environment, proxy);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        EisClient client = new EisClient(arguments[0]);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = lines.readLine()) != null) {
            Map<String, Object> answer = new LinkedHashMap<>();
            try {
                answer.put("value", client.carryOut((List<?>) Json.parse(line)));
            } catch (Throwable error) {
                Throwable cause = error;
                while (cause instanceof InvocationTargetException) {
                    cause = cause.getCause();
                }
                answer.put("error", cause.getClass().getSimpleName());
                StringBuilder text = new StringBuilder(String.valueOf(cause.getMessage()));
                while (cause.getCause() != null && cause.getCause() != cause) {
                    cause = cause.getCause();
                    text.append(" / ").append(cause.getMessage());
                }
                answer.put("text", text.toString());
            }
            out.println(Json.format(answer));
            out.flush();
        }
        System.exit(0);
    }

    private Object carryOut(List<?> request) throws Exception {
        String name = (String) request.get(0);
        List<?> rest = request.subList(1, request.size());
        switch (name) {
            case "events":
                return new ArrayList<>(events);
            case "percepts":
                return update(percepts((String) rest.get(0)));
            case "act":
                Object action = terms.action((String) rest.get(1), rest.subList(2, rest.size()));
                return act((String) rest.get(0), action);
            case "poll_many":
                return pollMany((String) rest.get(0), ((Number) rest.get(1)).intValue());
            default:
                return call(name, rest);
        }
    }

    private Object percepts(String agent) throws ReflectiveOperationException {
        String name = terms.version().equals("0.5") ? "getAllPercepts" : "getPercepts";
        return environment.getClass()
                .getMethod(name, String.class, String[].class)
                .invoke(environment, agent, new String[0]);
    }

    private Object update(Object byEntity) throws ReflectiveOperationException {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : ((Map<?, ?>) byEntity).entrySet()) {
            Object percepts = each.getValue();
            Map<String, Object> lists = new LinkedHashMap<>();
            if (percepts instanceof Collection) {
                lists.put("add", values((Collection<?>) percepts));
            } else {
                lists.put("add", values((Collection<?>) Terms.call(percepts, "getAddList")));
                lists.put("delete", values((Collection<?>) Terms.call(percepts, "getDeleteList")));
            }
            result.put((String) each.getKey(), lists);
        }
        return result;
    }

    private List<Object> values(Collection<?> percepts) throws ReflectiveOperationException {
        List<Object> result = new ArrayList<>();
        for (Object percept : percepts) {
            result.add(terms.perceptValue(percept));
        }
        return result;
    }

    private Object act(String agent, Object action) throws Exception {
        Object answer =
                environment.getClass()
                        .getMethod("performAction", String.class, action.getClass(), String[].class)
                        .invoke(environment, agent, action, new String[0]);
        if (!(answer instanceof Map)) {
            return null;
        }
        for (Object percept : ((Map<?, ?>) answer).values()) {
            return percept == null ? null : terms.perceptValue(percept);
        }
        return null;
    }

    private Object pollMany(String agent, int polls) throws ReflectiveOperationException {
        List<Object> times = new ArrayList<>();
        long percepts = 0;
        for (int i = 0; i < polls; i++) {
            long begin = System.nanoTime();
            Map<?, ?> byEntity = (Map<?, ?>) percepts(agent);
            times.add((System.nanoTime() - begin) / 1e6);
            for (Object each : byEntity.values()) {
                percepts += each instanceof Collection
                        ? ((Collection<?>) each).size()
                        : ((Collection<?>) Terms.call(each, "getAddList")).size();
            }
        }
        return Arrays.asList(times, percepts);
    }

    private Object call(String name, List<?> given) throws ReflectiveOperationException {
        for (Method method : environment.getClass().getMethods()) {
            if (!method.getName().equals(name) || method.getParameterCount() != given.size()) {
                continue;
            }
            Object[] arguments = new Object[given.size()];
            Class<?>[] types = method.getParameterTypes();
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = argument(given.get(i), types[i]);
            }
            Object answer = method.invoke(environment, arguments);
            return answer == null || answer instanceof Collection || answer instanceof Boolean
                    ? answer : answer.toString();
        }
        throw new NoSuchMethodException(name);
    }

    private Object argument(Object given, Class<?> type) throws ReflectiveOperationException {
        if (given instanceof Map) {
            Map<String, Object> result = new LinkedHashMap<>();
            for (Map.Entry<?, ?> each : ((Map<?, ?>) given).entrySet()) {
                result.put((String) each.getKey(), terms.parameter(each.getValue()));
            }
            return result;
        }
        return type.isArray() ? Array.newInstance(type.getComponentType(), 0) : given;
    }
}
