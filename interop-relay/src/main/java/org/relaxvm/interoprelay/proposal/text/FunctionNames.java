package org.relaxvm.interoprelay.proposal.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.relaxvm.interoprelay.proposal.RelayFunction;

/** How functions are referred to: by name where it is a unique word, else by index. */
final class FunctionNames {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.$]*");

  private final List<RelayFunction> functions;
  private final Map<String, Integer> indices = new HashMap<>();

  FunctionNames(List<RelayFunction> functions) {
    this.functions = functions;
    for (int i = functions.size() - 1; i >= 0; i--) {
      indices.put(functions.get(i).name(), i);
    }
  }

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  String reference(int function) {
    boolean named =
        function >= 0
            && function < functions.size()
            && isName(functions.get(function).name())
            && Objects.equals(indices.get(functions.get(function).name()), function);
    return named ? "@" + functions.get(function).name() : String.valueOf(function);
  }
}
