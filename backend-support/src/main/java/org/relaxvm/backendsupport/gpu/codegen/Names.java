package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;

/** Names of a launch in its program. Things are told apart by identity. Not thread-safe. */
final class Names {
  private final Set<String> taken;
  private final Map<Object, String> names = new IdentityHashMap<>();
  private final Map<Buffer, String> offsets = new HashMap<>();

  Names(Set<String> reserved) {
    taken = new HashSet<>(reserved);
  }

  /** The name of something, which gets one like its own when it has none yet. */
  private String name(Object thing, String wanted) {
    return names.computeIfAbsent(thing, t -> fresh(wanted));
  }

  /** A name that nothing else has. */
  String fresh(String wanted) {
    String plain = wanted.replaceAll("[^A-Za-z0-9_]", "_").replaceAll("__+", "_");
    if (plain.isEmpty()
        || !Character.isLetter(plain.charAt(0))
        || plain.startsWith("rv_")
        || plain.startsWith("gl_")) {
      plain = "v" + plain;
    }
    String name = plain;
    for (int i = 1; !taken.add(name); i++) {
      name = plain + "_" + i;
    }
    return name;
  }

  String of(Var var) {
    return name(var, var.name());
  }

  String of(Buffer buffer) {
    return name(buffer, buffer.name());
  }

  /** The parameter that says where the first element of a buffer is. */
  String offsetName(Buffer buffer) {
    return offsets.computeIfAbsent(buffer, b -> fresh(of(b) + "_at"));
  }

  /** What comes in front of an index of a buffer; nothing where it starts at 0. */
  String offset(Buffer buffer) {
    String name = offsets.get(buffer);
    return name == null ? "" : name + " + ";
  }
}
