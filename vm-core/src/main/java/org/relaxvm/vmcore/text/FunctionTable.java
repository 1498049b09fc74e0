package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.vmcore.text.Token.Kind;

/**
 * Numbers functions: first those with a header, in order, then those that are only called. Headers
 * may come after the calls, so they are collected before anything else is read.
 */
final class FunctionTable {
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> indices = new HashMap<>();

  FunctionTable(TokenStream tokens) {
    List<Token> all = tokens.all();
    for (int i = 0; i + 1 < all.size(); i++) {
      Token name = all.get(i + 1);
      if (all.get(i).is('@') && (name.kind() == Kind.NAME || name.kind() == Kind.STRING)) {
        if (indices.putIfAbsent(name.text(), names.size()) != null) {
          throw tokens.error(
              name, "function " + name.describe() + " has a header already; names are unique");
        }
        names.add(name.text());
      }
    }
  }

  /** The number of a function; an unknown one is added as a packed function. */
  int index(String name) {
    Integer known = indices.putIfAbsent(name, names.size());
    if (known != null) {
      return known;
    }
    names.add(name);
    return names.size() - 1;
  }

  List<String> names() {
    return names;
  }
}
