package org.relaxvm.interoptvm;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.interoptvm.library.ConstLoader;
import org.relaxvm.interoptvm.library.ModuleContent;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.interoptvm.object.Target;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/** What the file of a library tells about it, for people. */
record LibraryFacts(ExportedLibrary library, SequencedMap<String, String> root) {
  private static final int MOST_DEPTH = 10;
  private static final int MOST_MODULES = 100;

  Map<String, String> facts() {
    ObjectFile object = library.object();
    Target target = object.target();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "machine",
        String.join(" and ", target.machines())
            + ", "
            + target.wordBits()
            + "-bit, "
            + target.format()
            + object
                .unfit(System.getProperty("os.name", ""), System.getProperty("os.arch", ""))
                .map(why -> "; cannot run here: " + why)
                .orElse(""));
    library
        .release()
        .ifPresent(release -> facts.put("exported by", "Apache TVM " + release.releases()));
    facts.putAll(root);
    facts.put("modules", tree());
    if (!object.needed().isEmpty()) {
      facts.put("needs libraries", String.join(", ", object.needed()));
    }
    List<String> left = object.unresolved(Set.of());
    List<String> ours = left.stream().filter(RuntimeSymbols.ALL::contains).toList();
    if (!ours.isEmpty()) {
      facts.put("needs of RelaxVM", String.join(", ", ours));
    }
    if (asksByName(object)) {
      facts.put(
          "calls by name", "functions that its code asks for when it runs; the file lists none");
    }
    return facts;
  }

  /** Whether there is code that finds functions by name: it needs a place or a symbol for that. */
  private static boolean asksByName(ObjectFile object) {
    List<String> unresolved = object.unresolved(Set.of());
    return List.of(RuntimeSymbols.LOOKUP, RuntimeSymbols.OLD_LOOKUP).stream()
        .anyMatch(name -> object.defined().containsKey("__" + name) || unresolved.contains(name));
  }

  /**
   * Modules and what they import. What several import is told once, and what lies deep or comes
   * late is counted: the file decides how much there is.
   */
  private String tree() {
    StringBuilder text = new StringBuilder();
    BitSet told = new BitSet();
    append(text, 0, 0, told);
    int left = library.contents().size() - told.cardinality();
    return left == 0 ? text.toString() : text + ", and " + left + " more";
  }

  private void append(StringBuilder text, int index, int depth, BitSet told) {
    told.set(index);
    text.append(describe(index));
    List<Integer> children =
        library.container().modules().get(index).children().stream()
            .filter(child -> !told.get(child))
            .distinct()
            .toList();
    if (children.isEmpty() || depth == MOST_DEPTH || told.cardinality() >= MOST_MODULES) {
      return;
    }
    text.append(" imports ").append(children.size() > 1 ? "(" : "");
    String separator = "";
    for (int child : children) {
      if (told.cardinality() < MOST_MODULES && !told.get(child)) {
        text.append(separator);
        separator = ", ";
        append(text, child, depth + 1, told);
      }
    }
    text.append(children.size() > 1 ? ")" : "");
  }

  private String describe(int index) {
    String kind = library.container().modules().get(index).kind();
    return switch (library.contents().get(index)) {
      case ModuleContent.DeviceContent(var module) ->
          kind + " [" + module.format() + ", " + module.kernels().size() + " kernels]";
      case ConstLoader constants -> kind + " [" + constants.constants().size() + " constants]";
      case ModuleContent.StaticLibrary objects ->
          kind + " [" + objects.functions().size() + " functions, not run]";
      case ModuleContent.JsonRuntime graph -> kind + " [function " + graph.symbol() + ", not run]";
      case ModuleContent.Unknown _ -> kind + " [unknown]";
      case null, default -> kind;
    };
  }
}
