package org.relaxvm.interoprelay.proposal.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.text.Token.Kind;

/** Reads a module. Names of functions and labels may be used before they are defined. */
final class ModuleParser {
  private final TokenStream tokens;
  private final Map<String, Integer> functionIndices;
  private final List<RelayFunction> functions = new ArrayList<>();
  private final List<String> packed = new ArrayList<>();
  private final List<Object> constants = new ArrayList<>();

  ModuleParser(String text) {
    tokens = new TokenStream(new SourceText(text));
    functionIndices = functionIndices();
  }

  RelayModule parse() {
    while (tokens.peek().kind() != Kind.END) {
      Token word = tokens.peek();
      switch (word.kind() == Kind.NAME ? word.text() : "") {
        case "const" -> {
          entry("constant", constants.size());
          constants.add(Literals.parse(tokens));
        }
        case "packed" -> {
          entry("packed function", packed.size());
          packed.add(tokens.expect(Kind.STRING, "the name of a packed function").text());
        }
        case "func" -> functions.add(function());
        default -> throw tokens.unexpected("'const', 'packed' or 'func'");
      }
    }
    return new RelayModule(functions, packed, constants);
  }

  /** The names of all functions, which calls may precede. */
  private Map<String, Integer> functionIndices() {
    Map<String, Integer> indices = new LinkedHashMap<>();
    List<Token> all = tokens.all();
    for (int i = 0; i + 1 < all.size(); i++) {
      boolean function = all.get(i).kind() == Kind.NAME && all.get(i).text().equals("func");
      if (function && all.get(i + 1).kind() == Kind.FUNCTION) {
        Integer first = indices.putIfAbsent(all.get(i + 1).text(), indices.size());
        if (first != null) {
          throw tokens.error(
              all.get(i + 1), "function @" + all.get(i + 1).text() + " is defined twice");
        }
      }
    }
    return indices;
  }

  private void entry(String what, int expected) {
    tokens.next();
    Token token = tokens.peek();
    long index = tokens.integer("the index of a " + what);
    if (index != expected) {
      throw tokens.error(
          token, "expected " + what + " " + expected + ", but got " + token.describe());
    }
    tokens.expect('=', "after the index of a " + what);
  }

  private RelayFunction function() {
    tokens.next();
    String name = tokens.expect(Kind.FUNCTION, "'@' and the name of the function").text();
    tokens.expect('(', "and the number of parameters");
    int params = tokens.index("the number of parameters");
    tokens.expect(')', "after the number of parameters");
    tokens.expect('{', "and the instructions");
    Map<String, Integer> labels = labels();
    List<RelayInstruction> code = new ArrayList<>();
    while (!tokens.accept('}')) {
      label(code.size());
      if (tokens.peek().is('}')) {
        throw tokens.unexpected("an instruction after a label");
      }
      code.add(new InstructionParser(tokens, functionIndices, labels, code.size()).parse());
    }
    return new RelayFunction(name, params, code);
  }

  /** A label, which {@link #labels} has read, or the index of the instruction. */
  private void label(int index) {
    while (tokens.peekSecond().is(':')) {
      Token token = tokens.peek();
      if (token.kind() == Kind.NUMBER) {
        if (tokens.index("the index of the instruction") != index) {
          throw tokens.error(
              token, "this is instruction " + index + ", but got " + token.describe());
        }
      } else {
        tokens.expect(Kind.NAME, "a label");
      }
      tokens.expect(':', "after a label");
    }
  }

  /** The labels of the function whose body begins here. */
  private Map<String, Integer> labels() {
    Map<String, Integer> labels = new LinkedHashMap<>();
    List<Token> body = tokens.upTo('}');
    int index = 0;
    for (int i = 0; i < body.size(); i++) {
      boolean prefix = i + 1 < body.size() && body.get(i + 1).is(':');
      if (body.get(i).kind() == Kind.NAME && prefix) {
        Integer first = labels.putIfAbsent(body.get(i).text(), index);
        if (first != null) {
          throw tokens.error(
              body.get(i), "the label '" + body.get(i).text() + "' is defined twice");
        }
      } else if (isOpcode(body, i)) {
        index++;
      }
    }
    return labels;
  }

  /** Names that follow a comma are operands, and others begin instructions. */
  private static boolean isOpcode(List<Token> body, int i) {
    return body.get(i).kind() == Kind.NAME && (i == 0 || !isOperand(body, i));
  }

  private static boolean isGoto(String opcode) {
    return opcode.equals("Goto") || opcode.equals("Goto" + InstructionParser.EXTENSION);
  }

  private static boolean isOperand(List<Token> body, int i) {
    Token before = body.get(i - 1);
    return before.is(',') || (before.kind() == Kind.NAME && isGoto(before.text()));
  }
}
