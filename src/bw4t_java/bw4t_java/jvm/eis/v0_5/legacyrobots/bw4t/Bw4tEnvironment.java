// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import eis.exceptions.ActException;
import eis.exceptions.PerceiveException;
import eis.iilang.Action;
import eis.iilang.Percept;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The environment for agent platforms with EIS 0.5, see EisBase. */
public final class Bw4tEnvironment extends EisBase {
    public Bw4tEnvironment() throws ReflectiveOperationException {}

    @Override
    public Map<String, Collection<Percept>> getAllPercepts(String agent, String... entities)
            throws PerceiveException {
        Map<String, Collection<Percept>> result = new LinkedHashMap<>();
        for (Map.Entry<String, Object> each : poll(agent, entities).entrySet()) {
            List<Percept> percepts = new ArrayList<>();
            for (Object percept : (List<?>) each.getValue()) {
                percepts.add((Percept) percept);
            }
            result.put(each.getKey(), percepts);
        }
        return result;
    }

    @Override
    public Map<String, Percept> performAction(String agent, Action action, String... entities)
            throws ActException {
        Map<String, Percept> result = new LinkedHashMap<>();
        for (Map.Entry<String, Object> each : perform(agent, action, entities).entrySet()) {
            result.put(each.getKey(), (Percept) each.getValue());
        }
        return result;
    }

    @Override
    public String requiredVersion() {
        return version("0.5");
    }
}
