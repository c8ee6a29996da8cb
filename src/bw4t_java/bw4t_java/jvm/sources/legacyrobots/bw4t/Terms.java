// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/**
 * EIS percepts, parameters and exceptions to and from the values of the wire.
 *
 * <p>A string is an Identifier, a number a Numeral, true and false a TruthValue, a list a
 * ParameterList, and {"f": name, "args": [...]} a Function. A percept is a list of its name and
 * its parameters. The classes are those of the user's EIS, found by name, so that this compiles
 * and runs with every EIS from 0.5 to 0.7.
 */
final class Terms {
    private final ClassLoader loader;
    private final Constructor<?> identifier;
    private final Constructor<?> numeral;
    private final Constructor<?> truthValue;
    private final Constructor<?> list;
    private final Constructor<?> function;
    private final Constructor<?> percept;
    private final Constructor<?> perceptUpdate;
    private final Constructor<?> action;

    Terms(ClassLoader loader) throws ReflectiveOperationException {
        this.loader = loader;
        identifier = type("eis.iilang.Identifier").getConstructor(String.class);
        numeral = type("eis.iilang.Numeral").getConstructor(Number.class);
        truthValue = type("eis.iilang.TruthValue").getConstructor(boolean.class);
        list = taking(type("eis.iilang.ParameterList"), 0);
        function = taking(type("eis.iilang.Function"), 1);
        percept = taking(type("eis.iilang.Percept"), 1);
        action = taking(type("eis.iilang.Action"), 1);
        perceptUpdate = updateConstructor();
    }

    /** "0.7" for an EIS whose percepts come in PerceptUpdates, else "0.5". */
    String version() {
        return perceptUpdate == null ? "0.5" : "0.7";
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, true, loader);
    }

    /** The constructor whose last parameter, the one at {@code index}, takes a LinkedList. */
    private static Constructor<?> taking(Class<?> type, int index) throws NoSuchMethodException {
        for (Constructor<?> each : type.getConstructors()) {
            Class<?>[] taken = each.getParameterTypes();
            if (taken.length == index + 1 && taken[index].isAssignableFrom(LinkedList.class)) {
                return each;
            }
        }
        throw new NoSuchMethodException(type + " has no constructor with a list");
    }

    private Constructor<?> updateConstructor() throws NoSuchMethodException {
        try {
            return type("eis.PerceptUpdate").getConstructor(List.class, List.class);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    // --- From the wire ------------------------------------------------------------------------

    Object parameter(Object value) throws ReflectiveOperationException {
        if (value instanceof String) {
            return identifier.newInstance(value);
        }
        if (value instanceof Boolean) {
            return truthValue.newInstance(value);
        }
        if (value instanceof Number) {
            return numeral.newInstance(value);
        }
        if (value instanceof List) {
            return list.newInstance(parameters((List<?>) value));
        }
        if (value instanceof Map) {
            Map<?, ?> fields = (Map<?, ?>) value;
            return function.newInstance(
                    fields.get("f"), parameters((List<?>) fields.get("args")));
        }
        throw new IllegalArgumentException("no parameter: " + value);
    }

    private LinkedList<Object> parameters(List<?> values) throws ReflectiveOperationException {
        LinkedList<Object> result = new LinkedList<>();
        for (Object value : values) {
            result.add(parameter(value));
        }
        return result;
    }

    Object percept(Object value) throws ReflectiveOperationException {
        List<?> items = (List<?>) value;
        return percept.newInstance(items.get(0), parameters(items.subList(1, items.size())));
    }

    Object action(String name, List<?> arguments) throws ReflectiveOperationException {
        return action.newInstance(name, parameters(arguments));
    }

    List<Object> percepts(Object values) throws ReflectiveOperationException {
        List<Object> result = new LinkedList<>();
        for (Object value : (List<?>) values) {
            result.add(percept(value));
        }
        return result;
    }

    /** The reply to "percepts" as EIS has it: a List of Percepts, or a PerceptUpdate. */
    Object update(Object reply) throws ReflectiveOperationException {
        Map<?, ?> fields = (Map<?, ?>) reply;
        if (perceptUpdate == null) {
            return percepts(fields.get("add"));
        }
        return perceptUpdate.newInstance(
                percepts(fields.get("add")), percepts(fields.get("delete")));
    }

    /** Returns the EIS exception of a kind, such as "ActException". */
    Exception exception(String kind, String text) {
        try {
            Class<?> found = type("eis.exceptions." + kind);
            if (kind.equals("ActException")) {
                int failure = found.getField("FAILURE").getInt(null);
                return (Exception)
                        found.getConstructor(int.class, String.class).newInstance(failure, text);
            }
            return (Exception) found.getConstructor(String.class).newInstance(text);
        } catch (ReflectiveOperationException | ClassCastException e) {
            return new IllegalStateException(text);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    Object state(String name) throws ReflectiveOperationException {
        return Enum.valueOf((Class<Enum>) type("eis.iilang.EnvironmentState"), name);
    }

    // --- To the wire --------------------------------------------------------------------------

    static Object call(Object target, String method) throws ReflectiveOperationException {
        Method found = target.getClass().getMethod(method);
        found.setAccessible(true);
        return found.invoke(target);
    }

    /** A Parameter as a value; raises IllegalArgumentException for one that has no such form. */
    Object value(Object parameter) throws ReflectiveOperationException {
        if (parameter == null) {
            return null;
        }
        switch (parameter.getClass().getSimpleName()) {
            case "Identifier":
            case "Numeral":
                return call(parameter, "getValue");
            case "TruthValue":
                return call(parameter, "getBooleanValue");
            case "ParameterList":
                return values((Iterable<?>) parameter);
            case "Function":
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("f", call(parameter, "getName"));
                fields.put("args", values((Iterable<?>) call(parameter, "getParameters")));
                return fields;
            default:
                throw new IllegalArgumentException(
                        "a parameter of the class " + parameter.getClass().getName());
        }
    }

    List<Object> values(Iterable<?> parameters) throws ReflectiveOperationException {
        List<Object> result = new ArrayList<>();
        for (Object parameter : parameters == null ? Collections.emptyList() : parameters) {
            result.add(value(parameter));
        }
        return result;
    }

    /** A Percept as the list of its name and parameters. */
    List<Object> perceptValue(Object percept) throws ReflectiveOperationException {
        List<Object> result = new ArrayList<>();
        result.add(call(percept, "getName"));
        result.addAll(values((Iterable<?>) call(percept, "getParameters")));
        return result;
    }
}
