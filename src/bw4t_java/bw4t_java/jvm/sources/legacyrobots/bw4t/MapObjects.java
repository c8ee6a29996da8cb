// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes the map object of the user's jar of the map on the wire, by reflection, without JAXB. */
final class MapObjects {
    private static final String MAPS = "nl.tudelft.bw4t.map.";

    private final ClassLoader loader;

    MapObjects(ClassLoader loader) {
        this.loader = loader;
    }

    Object map(Map<?, ?> fields) throws ReflectiveOperationException {
        Object map = make("NewMap");
        set(map, "setArea", point(fields.get("area")));
        set(map, "setOneBotPerCorridorZone", fields.get("one_bot_per_corridor_zone"));
        set(map, "setRandomBlocks", integer(fields.get("random_blocks")));
        set(map, "setRandomSequence", integer(fields.get("random_sequence")));
        set(map, "setSequence", constants("BlockColor", fields.get("sequence")));
        List<Object> entities = new ArrayList<>();
        for (Object position : (List<?>) fields.get("spawn_points")) {
            Object entity = make("Entity");
            set(entity, "setPosition", point(position));
            entities.add(entity);
        }
        set(map, "setEntities", entities);
        Map<String, Object> zones = new HashMap<>();
        List<Object> ordered = new ArrayList<>();
        for (Object each : (List<?>) fields.get("zones")) {
            Map<?, ?> zone = (Map<?, ?>) each;
            Object made = zone(zone);
            zones.put((String) zone.get("name"), made);
            ordered.add(made);
        }
        for (Object each : (List<?>) fields.get("zones")) {
            Map<?, ?> zone = (Map<?, ?>) each;
            List<Object> neighbours = new ArrayList<>();
            for (Object name : (List<?>) zone.get("neighbours")) {
                neighbours.add(zones.get(name));
            }
            set(zones.get(zone.get("name")), "setNeighbours", neighbours);
        }
        set(map, "setZones", ordered);
        return map;
    }

    private Object zone(Map<?, ?> fields) throws ReflectiveOperationException {
        Object zone = make("Zone");
        set(zone, "setName", fields.get("name"));
        set(zone, "setType", constant("Zone$Type", fields.get("type")));
        List<?> box = (List<?>) fields.get("box");
        Class<?> rectangle = Class.forName(MAPS + "Rectangle", true, loader);
        Object made =
                rectangle
                        .getConstructor(double.class, double.class, double.class, double.class)
                        .newInstance(number(box, 0), number(box, 1), number(box, 2), number(box, 3));
        set(zone, "setBoundingbox", made);
        List<Object> doors = new ArrayList<>();
        for (Object each : (List<?>) fields.get("doors")) {
            List<?> door = (List<?>) each;
            Object opening = make("Door");
            set(opening, "setPosition", point(door));
            set(opening, "setOrientation", constant("Door$Orientation", door.get(2)));
            doors.add(opening);
        }
        set(zone, "setDoors", doors);
        set(zone, "setBlocks", constants("BlockColor", fields.get("blocks")));
        return zone;
    }

    private Object point(Object value) throws ReflectiveOperationException {
        List<?> numbers = (List<?>) value;
        return Class.forName(MAPS + "Point", true, loader)
                .getConstructor(double.class, double.class)
                .newInstance(number(numbers, 0), number(numbers, 1));
    }

    private List<Object> constants(String type, Object names) throws ReflectiveOperationException {
        List<Object> result = new ArrayList<>();
        for (Object name : (List<?>) names) {
            result.add(constant(type, name));
        }
        return result;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object constant(String type, Object name) throws ReflectiveOperationException {
        Class<?> found = Class.forName(MAPS + type, true, loader);
        return Enum.valueOf((Class<Enum>) found, (String) name);
    }

    private Object make(String type) throws ReflectiveOperationException {
        return Class.forName(MAPS + type, true, loader).getConstructor().newInstance();
    }

    private static void set(Object target, String setter, Object value)
            throws ReflectiveOperationException {
        for (Method method : target.getClass().getMethods()) {
            if (method.getName().equals(setter) && method.getParameterCount() == 1) {
                method.invoke(target, value);
                return;
            }
        }
        throw new NoSuchMethodException(target.getClass() + "." + setter);
    }

    // --- To the wire --------------------------------------------------------------------------

    /** The map on the wire, as bw4t_java.eis.values describes it, of a map object. */
    static Map<String, Object> value(Object map) throws ReflectiveOperationException {
        Map<String, Object> fields = new HashMap<>();
        fields.put("area", pointValue(Terms.call(map, "getArea")));
        fields.put("one_bot_per_corridor_zone", Terms.call(map, "getOneBotPerCorridorZone"));
        fields.put("random_blocks", Terms.call(map, "getRandomBlocks"));
        fields.put("random_sequence", Terms.call(map, "getRandomSequence"));
        fields.put("sequence", names(Terms.call(map, "getSequence"), "name"));
        List<Object> spawnPoints = new ArrayList<>();
        for (Object entity : (Iterable<?>) Terms.call(map, "getEntities")) {
            spawnPoints.add(pointValue(Terms.call(entity, "getPosition")));
        }
        fields.put("spawn_points", spawnPoints);
        List<Object> zones = new ArrayList<>();
        for (Object zone : (Iterable<?>) Terms.call(map, "getZones")) {
            zones.add(zoneValue(zone));
        }
        fields.put("zones", zones);
        return fields;
    }

    private static Object zoneValue(Object zone) throws ReflectiveOperationException {
        Map<String, Object> fields = new HashMap<>();
        fields.put("name", Terms.call(zone, "getName"));
        fields.put("type", Terms.call(Terms.call(zone, "getType"), "name"));
        Object box = Terms.call(zone, "getBoundingbox");
        List<Object> sides = pointValue(box);
        sides.add(Terms.call(box, "getWidth"));
        sides.add(Terms.call(box, "getHeight"));
        fields.put("box", sides);
        fields.put("neighbours", names(Terms.call(zone, "getNeighbours"), "getName"));
        List<Object> doors = new ArrayList<>();
        for (Object door : (Iterable<?>) Terms.call(zone, "getDoors")) {
            List<Object> opening = pointValue(Terms.call(door, "getPosition"));
            opening.add(Terms.call(Terms.call(door, "getOrientation"), "name"));
            doors.add(opening);
        }
        fields.put("doors", doors);
        fields.put("blocks", names(Terms.call(zone, "getBlocks"), "name"));
        return fields;
    }

    private static List<Object> pointValue(Object point) throws ReflectiveOperationException {
        List<Object> numbers = new ArrayList<>();
        numbers.add(Terms.call(point, "getX"));
        numbers.add(Terms.call(point, "getY"));
        return numbers;
    }

    private static List<Object> names(Object things, String getter)
            throws ReflectiveOperationException {
        List<Object> result = new ArrayList<>();
        for (Object thing : (Iterable<?>) things) {
            result.add(Terms.call(thing, getter));
        }
        return result;
    }

    private static Integer integer(Object value) {
        return ((Number) value).intValue();
    }

    private static double number(List<?> numbers, int index) {
        return ((Number) numbers.get(index)).doubleValue();
    }
}
