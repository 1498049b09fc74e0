package org.relaxvm.tir.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives things names that differ wherever both can be seen: variables and buffers of a kernel,
 * functions of a program. Things are told apart by identity. Not thread-safe.
 */
public final class Names {
  private static final Set<String> RESERVED =
      Set.copyOf(
          List.of(
              ("False None True and as assert async await break class continue def del elif else"
                      + " except finally for from global if import in is lambda nonlocal not or"
                      + " pass raise return try while with yield T R I cls range min max")
                  .split(" ")));

  private final Map<Object, String> names = new IdentityHashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final Map<String, Integer> suffixes = new HashMap<>();

  /** A table without names. */
  public Names() {}

  /**
   * The name of something new: what is wanted when the text can hold it and it is free, else one
   * like it with a number appended.
   */
  public String define(Object thing, String wanted) {
    String plain = plain(wanted);
    String name = plain;
    for (int i = 1; !taken.add(name); i++) {
      i = Math.max(i, suffixes.getOrDefault(plain, 1));
      name = plain + "_" + i;
      suffixes.put(plain, i);
    }
    names.put(thing, name);
    return name;
  }

  /** Frees the name of something that cannot be seen any more. */
  public void release(Object thing) {
    String name = names.remove(thing);
    if (name != null) {
      taken.remove(name);
      suffixes.clear();
    }
  }

  /** Whether it has a name. */
  public boolean has(Object thing) {
    return names.containsKey(thing);
  }

  /**
   * Its name.
   *
   * @throws IllegalStateException when it has none
   */
  public String of(Object thing) {
    String name = names.get(thing);
    if (name == null) {
      throw new IllegalStateException("no name was given to " + thing);
    }
    return name;
  }

  /** The name itself when the text can hold it, else one like it. */
  public static String plain(String name) {
    StringBuilder plain = new StringBuilder();
    if (name.isEmpty() || !isStart(name.charAt(0))) {
      plain.append('_');
    }
    name.chars().forEach(c -> plain.append(isPart((char) c) ? (char) c : '_'));
    return isReserved(plain.toString()) ? plain.append('_').toString() : plain.toString();
  }

  /** Whether the text form or Python has another meaning for it. */
  public static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }

  static boolean isStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isPart(char c) {
    return isStart(c) || (c >= '0' && c <= '9');
  }
}
