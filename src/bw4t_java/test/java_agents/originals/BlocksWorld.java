// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0

import eis.EnvironmentInterfaceStandard;
import eis.iilang.Action;
import eis.iilang.Function;
import eis.iilang.Identifier;
import eis.iilang.Numeral;
import eis.iilang.Parameter;
import eis.iilang.ParameterList;
import eis.iilang.Percept;
import jason.asSyntax.Literal;
import jason.asSyntax.LiteralImpl;
import jason.asSyntax.NumberTerm;
import jason.asSyntax.NumberTermImpl;
import jason.asSyntax.StringTerm;
import jason.asSyntax.StringTermImpl;
import jason.asSyntax.Structure;
import jason.environment.Environment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One robot as the environment of a Jason program: percepts are beliefs, and an action ends when the
 * robot stands. An action that is refused fails its intention.
 */
public class BlocksWorld extends Environment {
  private static final String AGENT = "collector";

  private final Map<String, Literal> facts = new LinkedHashMap<>();
  private final Map<String, Percept> values = new HashMap<>();
  private EnvironmentInterfaceStandard world;

  @Override
  public void init(String[] arguments) {
    try {
      Class<?> kind = Class.forName("legacyrobots.bw4t.Bw4tEnvironment");
      world = (EnvironmentInterfaceStandard) kind.getDeclaredConstructor().newInstance();
      world.init(Map.of("port", new Numeral(Integer.parseInt(arguments[0]))));
      while (world.getFreeEntities().isEmpty()) {
        Thread.sleep(20);
      }
      world.registerAgent(AGENT);
      world.associateEntity(AGENT, world.getFreeEntities().iterator().next());
      perceive();
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  @Override
  public boolean executeAction(String agent, Structure action) {
    try {
      world.performAction(agent, translated(action));
      do {
        perceive();
      } while (text(values.get("state")).equals("traveling"));
      return true;
    } catch (Exception error) {
      getLogger().warning(action + ": " + error);
      return false;
    }
  }

  private static Action translated(Structure action) throws Exception {
    switch (action.getFunctor()) {
      case "go":
        return new Action("goTo", new Identifier(((StringTerm) action.getTerm(0)).getString()));
      case "go_to_block":
        return new Action("goToBlock", new Numeral(((NumberTerm) action.getTerm(0)).solve()));
      case "pick_up":
        return new Action("pickUp");
      default:
        return new Action("putDown");
    }
  }

  private void perceive() throws Exception {
    List<Literal> now = new ArrayList<>();
    for (Collection<Percept> polled : world.getAllPercepts(AGENT).values()) {
      for (Percept percept : polled) {
        List<Parameter> given = percept.getParameters();
        switch (percept.getName()) {
          case "not":
            Function gone = (Function) given.get(0);
            facts.remove(literal(gone.getName(), gone.getParameters()).toString());
            break;
          case "in":
          case "holding":
            remember(literal(percept.getName(), given));
            break;
          case "place":
            if (text(percept).startsWith("Room")) {
              remember(literal("room", given));
            }
            break;
          case "color":
            now.add(literal("color", given));
            break;
          default:
            values.put(percept.getName(), percept);
        }
      }
    }
    ParameterList sequence = (ParameterList) values.get("sequence").getParameters().get(0);
    Numeral index = (Numeral) values.get("sequenceIndex").getParameters().get(0);
    if (index.getValue().intValue() < sequence.size()) {
      now.add(literal("due", List.of(sequence.get(index.getValue().intValue()))));
    }
    now.addAll(facts.values());
    clearPercepts(AGENT);
    addPercept(AGENT, now.toArray(new Literal[0]));
  }

  private void remember(Literal fact) {
    facts.put(fact.toString(), fact);
  }

  private static String text(Percept percept) {
    return ((Identifier) percept.getParameters().get(0)).getValue();
  }

  private static Literal literal(String name, Collection<Parameter> parameters) {
    Literal found = new LiteralImpl(name);
    for (Parameter each : parameters) {
      found.addTerm(
          each instanceof Numeral
              ? new NumberTermImpl(((Numeral) each).getValue().doubleValue())
              : new StringTermImpl(((Identifier) each).getValue()));
    }
    return found;
  }
}
