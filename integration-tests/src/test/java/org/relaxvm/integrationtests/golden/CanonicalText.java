package org.relaxvm.integrationtests.golden;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.relaxvm.tir.text.Names;
import org.relaxvm.tir.text.SourceText;
import org.relaxvm.tir.text.Token;
import org.relaxvm.tir.text.TokenStream;

/**
 * The text of a function with names by the order in which they come: {@code v0}, {@code v1} and so
 * on for all variables, tensors, extents and loops alike.
 */
final class CanonicalText {
  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final UnaryOperator<String> functions;
  private int count;

  private CanonicalText(String text, UnaryOperator<String> functions) {
    this.text = text;
    this.functions = functions;
    TokenStream stream = new TokenStream(new SourceText("function", text));
    while (stream.peek().kind() != Token.Kind.END) {
      tokens.add(stream.next());
    }
  }

  /**
   * The lines of a function.
   *
   * @param text as our printer has it, from the first column on
   * @param functions gives the functions of the module that it calls their names
   */
  static List<String> lines(String text, UnaryOperator<String> functions) {
    return new CanonicalText(text, functions).renamed().lines().toList();
  }

  private String renamed() {
    StringBuilder out = new StringBuilder();
    int copied = 0;
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      depth += token.is("(") || token.is("[") ? 1 : token.is(")") || token.is("]") ? -1 : 0;
      if (token.kind() != Token.Kind.NAME) {
        continue;
      }
      out.append(text, copied, token.offset()).append(renamed(i, depth));
      copied = token.offset() + token.text().length();
    }
    return out.append(text.substring(copied)).toString();
  }

  private String renamed(int index, int depth) {
    String name = tokens.get(index).text();
    if (isBehind(index, "def") || isBehind(index, "cls", ".")) {
      return functions.apply(name);
    }
    boolean isOption = depth > 0 && tokens.get(index + 1).is("=");
    if (Names.isReserved(name) || name.equals("_") || isBehind(index, ".") || isOption) {
      return name;
    }
    boolean isNewAxis =
        tokens.get(index + 1).is("=") && tokens.get(index + 4).is("axis") && depth == 0;
    if (isBehind(index, "for") || isNewAxis) {
      variables.remove(name);
    }
    return variables.computeIfAbsent(name, unused -> "v" + count++);
  }

  private boolean isBehind(int index, String... symbols) {
    for (int i = 0; i < symbols.length; i++) {
      int before = index - symbols.length + i;
      if (before < 0 || !tokens.get(before).is(symbols[i])) {
        return false;
      }
    }
    return true;
  }
}
