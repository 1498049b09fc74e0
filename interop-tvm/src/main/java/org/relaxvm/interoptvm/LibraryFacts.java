package org.relaxvm.interoptvm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.interoptvm.library.ConstLoader;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.library.ModuleContent;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.interoptvm.object.Target;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/** What the file of a library tells about it, for people. */
record LibraryFacts(ExportedLibrary library) {
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
    facts.put(
        "exported by", LibraryRelease.of(object).map(r -> "Apache TVM " + r.releases()).orElse(""));
    facts.put("executable", "era " + library.executable().era() + " of the format");
    facts.put("modules", tree(0, Set.of()));
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
    return object.defined().containsKey("__" + RuntimeSymbols.LOOKUP)
        || object.unresolved(Set.of()).contains(RuntimeSymbols.LOOKUP);
  }

  private String tree(int index, Set<Integer> above) {
    LibraryBin container = library.container();
    StringBuilder text = new StringBuilder(describe(index));
    List<Integer> children = container.modules().get(index).children();
    if (!children.isEmpty()) {
      text.append(" imports ");
      text.append(children.size() > 1 ? "(" : "");
      for (int i = 0; i < children.size(); i++) {
        text.append(i > 0 ? ", " : "").append(tree(children.get(i), above));
      }
      text.append(children.size() > 1 ? ")" : "");
    }
    return text.toString();
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
