package org.relaxvm.interoptvm.load;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Value;
import org.relaxvm.interoptvm.CLibrary;
import org.relaxvm.vmcore.program.HostLinks;

/** The library of {@code imitation.c}, bound to functions of a test. */
final class Imitation implements AutoCloseable {
  static final Set<String> FUNCTIONS =
      Set.of(
          "empty",
          "add",
          "cell",
          "text",
          "small_string",
          "half",
          "call_by_name",
          "call_missing",
          "call_argument",
          "call_with_tensor",
          "raise",
          "raise_object",
          "type_info",
          "type_ancestor",
          "strides",
          "silent",
          "parallel",
          "nested",
          "workspace",
          "workspace_leak",
          "workspace_wrong_free",
          "workspace_elsewhere",
          "count",
          "__vmtir__main");

  /** Of {@code imitation-old.c}, which is called as Apache TVM 0.20 and older do. */
  static final Set<String> OLD_FUNCTIONS =
      Set.of(
          "add",
          "invert",
          "scale",
          "value",
          "text",
          "results",
          "same",
          "call_by_name",
          "call_missing",
          "call_argument",
          "call_with",
          "call_with_all",
          "string_of_call",
          "add_result",
          "silent",
          "parallel",
          "workspace",
          "announcement",
          "announce_late");

  private final BoundLibrary library;

  private Imitation(BoundLibrary library) {
    this.library = library;
  }

  static Path compile(Path folder, String name, String... flags) {
    return CLibrary.compile(folder, "imitation.c", name, flags);
  }

  static Path compileOld(Path folder, String name, String... flags) {
    return CLibrary.compile(folder, "imitation-old.c", name, flags);
  }

  static Imitation openOld(Path file) {
    return openOld(file, Map.of("test.twice", twice()));
  }

  static Imitation openOld(Path file, Map<String, PackedFunc> globals) {
    return open(file, Convention.UP_TO_0_20, OLD_FUNCTIONS, globals);
  }

  static Imitation open(Path file) {
    return open(file, Map.of("test.twice", twice()));
  }

  static Imitation open(Path file, Map<String, PackedFunc> globals) {
    return open(file, Convention.FROM_0_21, FUNCTIONS, globals);
  }

  private static Imitation open(
      Path file, Convention convention, Set<String> names, Map<String, PackedFunc> globals) {
    Map<String, PackedFunc> functions = new HashMap<>(globals);
    HostLinks links = new HostLinks(List.of(), name -> Optional.ofNullable(functions.get(name)));
    return new Imitation(BoundLibrary.open(file, convention, names, Expected.NOTHING, links));
  }

  static PackedFunc twice() {
    return (args, result) -> result.setLong(2 * args.longAt(0));
  }

  PackedFunc function(String name) {
    return library.find(name).orElseThrow();
  }

  Value call(String name, @Nullable Object... args) {
    return function(name).invoke(args);
  }

  BoundLibrary library() {
    return library;
  }

  @Override
  public void close() {
    library.close();
  }
}
