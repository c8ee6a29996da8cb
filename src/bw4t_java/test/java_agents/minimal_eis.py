# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""As much of the Java interfaces of EIS as our environment jar touches, written for these tests.

With it the jar is compiled and run where no EIS is; the real one is GPL-3 and not shipped.
"""

from __future__ import annotations

from bw4t_java.jvm.compiler import compiled

NAMED = """
    private final String name;
    private final java.util.LinkedList<Parameter> parameters;
    public {type}(String name, java.util.LinkedList<Parameter> parameters) {{
        this.name = name;
        this.parameters = parameters;
    }}
    public String getName() {{ return name; }}
    public java.util.LinkedList<Parameter> getParameters() {{ return parameters; }}
"""
VALUED = """
    private final {value} value;
    public {type}({value} value) {{ this.value = value; }}
    public {value} get{prefix}Value() {{ return value; }}
"""
EXCEPTIONS = (
    *("AgentException", "EntityException", "ManagementException", "PerceiveException"),
    *("QueryException", "RelationException"),
)
ENVIRONMENT = """
    void attachEnvironmentListener(EnvironmentListener listener);
    void detachEnvironmentListener(EnvironmentListener listener);
    void attachAgentListener(String agent, AgentListener listener);
    void detachAgentListener(String agent, AgentListener listener);
    void registerAgent(String agent) throws AgentException;
    void unregisterAgent(String agent) throws AgentException;
    Collection<String> getAgents();
    Collection<String> getEntities();
    Collection<String> getFreeEntities();
    void associateEntity(String agent, String entity) throws RelationException;
    void freeEntity(String entity) throws RelationException, EntityException;
    void freeAgent(String agent) throws RelationException, EntityException;
    void freePair(String agent, String entity) throws RelationException, EntityException;
    Collection<String> getAssociatedEntities(String agent) throws AgentException;
    Collection<String> getAssociatedAgents(String entity) throws EntityException;
    String getType(String entity) throws EntityException;
    boolean isStateTransitionValid(EnvironmentState before, EnvironmentState after);
    void init(Map<String, Parameter> parameters) throws ManagementException;
    void reset(Map<String, Parameter> parameters) throws ManagementException;
    void start() throws ManagementException;
    void pause() throws ManagementException;
    void kill() throws ManagementException;
    EnvironmentState getState();
    boolean isInitSupported();
    boolean isStartSupported();
    boolean isPauseSupported();
    boolean isKillSupported();
    String requiredVersion();
    String queryProperty(String property) throws QueryException;
    String queryEntityProperty(String entity, String property) throws QueryException;
"""
POLLING = {
    "0.5": """
    Map<String, Percept> performAction(String agent, Action action, String... entities)
        throws ActException;
    Map<String, Collection<Percept>> getAllPercepts(String agent, String... entities)
        throws PerceiveException, NoEnvironmentException;
""",
    "0.7": """
    void performAction(String agent, Action action, String... entities) throws ActException;
    Map<String, PerceptUpdate> getPercepts(String agent, String... entities)
        throws PerceiveException, NoEnvironmentException;
""",
}
UPDATE = """
    private final List<Percept> add;
    private final List<Percept> delete;
    public PerceptUpdate(List<Percept> add, List<Percept> delete) {
        this.add = add;
        this.delete = delete;
    }
    public List<Percept> getAddList() { return add; }
    public List<Percept> getDeleteList() { return delete; }
"""
LISTENER = """
    void handleStateChange(EnvironmentState state);
    void handleFreeEntity(String entity, Collection<String> agents);
    void handleDeletedEntity(String entity, Collection<String> agents);
    void handleNewEntity(String entity);
"""
PARAMETER_LIST = """ implements Iterable<Parameter> {
    private final java.util.List<Parameter> items;
    public ParameterList(java.util.Collection<Parameter> items) {
        this.items = new java.util.ArrayList<>(items);
    }
    public java.util.Iterator<Parameter> iterator() { return items.iterator(); }
}
"""
IMPORTS = "import eis.exceptions.*; import eis.iilang.*; import java.util.*;\n"


def sources(version: str) -> dict[str, str]:
    """Return the Java sources of EIS "0.5" or "0.7" by file name."""
    found = {
        f"eis/exceptions/{name}": f"public class {name} extends Exception {{"
        f"public {name}(String text) {{ super(text); }} }}"
        for name in EXCEPTIONS
    }
    found["eis/exceptions/NoEnvironmentException"] = (
        "public class NoEnvironmentException extends RuntimeException {"
        "public NoEnvironmentException(String text) { super(text); }"
        "public NoEnvironmentException(String text, Exception cause) { super(text, cause); } }"
    )
    found["eis/exceptions/ActException"] = (
        "public class ActException extends Exception { public static final int FAILURE = 7;"
        "public ActException(int type, String text) { super(text); } }"
    )
    for name in ("Action", "Percept"):
        found[f"eis/iilang/{name}"] = f"public class {name} {{{NAMED.format(type=name)}}}"
    found["eis/iilang/Parameter"] = "public abstract class Parameter {}"
    function = NAMED.format(type="Function")
    found["eis/iilang/Function"] = f"public class Function extends Parameter {{{function}}}"
    for name, value, prefix in (
        ("Identifier", "String", ""),
        ("Numeral", "Number", ""),
        ("TruthValue", "boolean", "Boolean"),
    ):
        body = VALUED.format(type=name, value=value, prefix=prefix)
        found[f"eis/iilang/{name}"] = f"public class {name} extends Parameter {{{body}}}"
    found["eis/iilang/ParameterList"] = (
        f"public class ParameterList extends Parameter{PARAMETER_LIST}"
    )
    found["eis/iilang/EnvironmentState"] = (
        "public enum EnvironmentState { INITIALIZING, RUNNING, PAUSED, KILLED }"
    )
    loader = {"0.5": "0.6.2", "0.7": "0.7.0"}[version]
    found["eis/EILoader"] = (
        f'public class EILoader {{ private static String version = "{loader}";'
        " public static String asked() { return version; } }"
    )
    found["eis/AgentListener"] = "public interface AgentListener {}"
    found["eis/EnvironmentListener"] = f"public interface EnvironmentListener {{{LISTENER}}}"
    if version == "0.7":
        found["eis/PerceptUpdate"] = f"public class PerceptUpdate {{{UPDATE}}}"
    body = ENVIRONMENT + POLLING[version]
    found["eis/EnvironmentInterfaceStandard"] = (
        f"public interface EnvironmentInterfaceStandard {{{body}}}"
    )
    return found


def minimal_eis(version, directory):
    """Return the directory with the compiled classes of EIS "0.5" or "0.7"."""
    paths = []
    for name, text in sources(version).items():
        path = directory / f"{name}.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        package = name.rsplit("/", 1)[0].replace("/", ".")
        imports = "" if package == "eis.exceptions" else IMPORTS
        path.write_text(f"package {package};\n{imports}{text}\n")
        paths.append(path)
    return compiled(sorted(paths))
