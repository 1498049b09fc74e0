package org.relaxvm.interoptvm;

import static java.util.Comparator.reverseOrder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.interoptvm.library.ConstLoader;
import org.relaxvm.interoptvm.library.ConstLoaderModule;
import org.relaxvm.interoptvm.library.ImportSearch;
import org.relaxvm.interoptvm.library.ModuleContent;
import org.relaxvm.interoptvm.load.BoundLibrary;
import org.relaxvm.interoptvm.load.Convention;
import org.relaxvm.interoptvm.load.Expected;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.interoptvm.object.Machine;
import org.relaxvm.interoptvm.object.ObjectFormat;
import org.relaxvm.interoptvm.object.ObjectSymbol;
import org.relaxvm.interoptvm.object.Target;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.HostLinks;

/** The machine code of an exported library, and the modules that give it constants. */
final class ExportedCode implements HostCode {
  /** The machines that runtime functions can be led to Java on. */
  private static final Set<Machine> SHIMS = Set.of(Machine.X86_64, Machine.AARCH64);

  private final ExportedLibrary library;
  private final SequencedMap<String, String> rootFacts;
  private final Set<String> functionNames;

  ExportedCode(ExportedLibrary library, SequencedMap<String, String> rootFacts) {
    this.library = library;
    this.rootFacts = rootFacts;
    functionNames = functionNames(library);
  }

  private static Set<String> functionNames(ExportedLibrary library) {
    Set<String> symbols = new HashSet<>();
    for (Map.Entry<String, ObjectSymbol> symbol : library.object().defined().entrySet()) {
      if (symbol.getValue().kind() == ObjectSymbol.Kind.FUNCTION) {
        symbols.add(symbol.getKey());
      }
    }
    return library.convention().functionNames(symbols);
  }

  @Override
  public String origin() {
    return library.path().toAbsolutePath().toString();
  }

  @Override
  public Set<String> functionNames() {
    return functionNames;
  }

  @Override
  public Map<String, String> facts() {
    return new LibraryFacts(library, rootFacts).facts();
  }

  @Override
  public Module load(HostLinks links) {
    requireRunnable();
    BoundLibrary code =
        BoundLibrary.open(
            library.path(),
            library.convention(),
            functionNames,
            new Expected(
                library.object().unresolved(Set.copyOf(RuntimeSymbols.ALL)),
                library.object().needed()),
            links);
    return new ImportedModules(library, code).asModule();
  }

  private void requireRunnable() {
    Optional<String> unfit =
        library
            .object()
            .unfit(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    if (unfit.isPresent()) {
      throw refusal(ErrorKind.VALUE, unfit.get());
    }
    Target target = library.object().target();
    if (target.format() != ObjectFormat.ELF || !SHIMS.contains(target.machine())) {
      throw refusal(
          ErrorKind.VALUE,
          "native libraries run on Linux with x86-64 or aarch64 only\n"
              + "  what to do: run the model there");
    }
    if (!library.allowed()) {
      throw refusal(
          ErrorKind.VALUE,
          "loading it runs its code, which was not allowed\n"
              + "  what to do: if you trust the file, load the program with"
              + " LoadOptions.DEFAULT.withNativeCode(true)");
    }
    if (library.object().asksForExecutableStack()) {
      throw refusal(
          ErrorKind.VALUE,
          "it asks for executable stacks, which ends a Java process sooner or later\n  what to do:"
              + " export it again with the linker option -Wl,-z,noexecstack");
    }
    if (!FileIdentity.of(library.path()).equals(library.identity())) {
      throw refusal(
          ErrorKind.IO,
          "another file has taken its place since the program was loaded\n"
              + "  what to do: load the program again");
    }
    requireUncompiled();
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<Integer, ModuleContent> module : library.contents().entrySet()) {
      switch (module.getValue()) {
        case ModuleContent.JsonRuntime graph ->
            unknown.add(graph.runtime() + " (function " + graph.symbol() + ")");
        // The root module is a program that another module of RelaxVM has read.
        case ModuleContent.Unknown other when module.getKey() != 0 -> unknown.add(other.kind());
        default -> {}
      }
    }
    if (!unknown.isEmpty()) {
      throw refusal(
          ErrorKind.VALUE,
          "it imports modules of kinds that RelaxVM cannot run: "
              + String.join(", ", unknown)
              + "\n  what to do: compile the model without them");
    }
  }

  /** Compiled functions of old releases read registers in a way of their own. */
  private void requireUncompiled() {
    if (library.convention() != Convention.UP_TO_0_20) {
      return;
    }
    Optional<String> compiled =
        functionNames.stream().filter(name -> name.startsWith(Convention.COMPILED)).findFirst();
    if (compiled.isPresent()) {
      throw refusal(
          ErrorKind.VALUE,
          "its function "
              + compiled.get().substring(Convention.COMPILED.length())
              + " was compiled with exec_mode=\"compiled\" by Apache TVM 0.20 or older, which"
              + " RelaxVM cannot call\n"
              + "  what to do: compile the model with exec_mode=\"bytecode\", or with Apache TVM"
              + " 0.21 or newer");
    }
  }

  private LinkException refusal(ErrorKind kind, String why) {
    return new LinkException(kind, "cannot load " + origin() + ": " + why);
  }

  /** The tree of modules above machine code: those that give it constants. */
  private record ImportedModules(ExportedLibrary library, BoundLibrary code) {
    Module asModule() {
      Map<Integer, Module> made = new HashMap<>();
      // Backwards, for what a module imports follows it.
      for (int index : library.contents().keySet().stream().sorted(reverseOrder()).toList()) {
        switch (library.contents().get(index)) {
          case ModuleContent.LibraryCode _ -> made.put(index, code);
          case ConstLoader constants ->
              made.put(
                  index, new ConstLoaderModule(code.origin(), constants, children(index, made)));
          case null, default -> {}
        }
      }
      List<Module> imports = children(0, made);
      if (library.container().root().isLibrary()) {
        imports = Stream.concat(Stream.of(code), imports.stream()).toList();
      }
      return imports.equals(List.of(code)) ? code : new Imports(code, imports);
    }

    private List<Module> children(int index, Map<Integer, Module> made) {
      return library.container().modules().get(index).children().stream()
          .distinct()
          .filter(made::containsKey)
          .map(made::get)
          .toList();
    }
  }

  /** What the executable imports. */
  private record Imports(BoundLibrary code, List<Module> imports) implements Module {
    @Override
    public String origin() {
      return code.origin();
    }

    @Override
    public Set<String> functionNames() {
      return Set.of();
    }

    @Override
    public Optional<PackedFunc> find(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<PackedFunc> findWithImports(String name) {
      return ImportSearch.withImports(this, name);
    }

    @Override
    public void close() {
      code.close();
    }
  }
}
