// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import eis.PerceptUpdate;
import eis.exceptions.ActException;
import eis.exceptions.PerceiveException;
import eis.iilang.Action;
import java.util.LinkedHashMap;
import java.util.Map;

/** The environment for agent platforms with EIS 0.7, see EisBase. */
public final class Bw4tEnvironment extends EisBase {
    public Bw4tEnvironment() throws ReflectiveOperationException {}

    @Override
    public Map<String, PerceptUpdate> getPercepts(String agent, String... entities)
            throws PerceiveException {
        Map<String, PerceptUpdate> result = new LinkedHashMap<>();
        for (Map.Entry<String, Object> each : poll(agent, entities).entrySet()) {
            result.put(each.getKey(), (PerceptUpdate) each.getValue());
        }
        return result;
    }

    @Override
    public void performAction(String agent, Action action, String... entities)
            throws ActException {
        perform(agent, action, entities);
    }

    @Override
    public String requiredVersion() {
        return version("0.7.0");
    }
}
