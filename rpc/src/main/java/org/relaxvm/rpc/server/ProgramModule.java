package org.relaxvm.rpc.server;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.FunctionMatch;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.program.CompiledModule;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.HostLinks;
import org.relaxvm.vmcore.program.Program;

/**
 * A loaded file: {@code vm_load_executable} makes a virtual machine of it, and the functions of its
 * native code can be called without one.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 12.
 */
final class ProgramModule implements CompiledModule {
  private static final String LOAD_EXECUTABLE = "vm_load_executable";

  private final Program program;
  private final SessionModules session;
  private final List<Module> imported = new CopyOnWriteArrayList<>();
  private @Nullable List<Module> libraries;

  ProgramModule(Program program, SessionModules session) {
    this.program = program;
    this.session = session;
  }

  void add(Module child) {
    imported.add(child);
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public String origin() {
    return program.source();
  }

  @Override
  public Set<String> functionNames() {
    Set<String> names = new LinkedHashSet<>();
    names.add(LOAD_EXECUTABLE);
    program.hostCode().forEach(code -> names.addAll(code.functionNames()));
    return names;
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    if (name.equals(LOAD_EXECUTABLE)) {
      return Optional.of((args, result) -> result.set(new VmModule(program, session)));
    }
    boolean isNative =
        session.settings().allowNative()
            && program.hostCode().stream().anyMatch(code -> code.functionNames().contains(name));
    return isNative
        ? nativeModules().stream().flatMap(module -> module.find(name).stream()).findFirst()
        : Optional.empty();
  }

  private synchronized List<Module> nativeModules() {
    List<Module> loaded = libraries;
    if (loaded == null) {
      HostLinks links =
          new HostLinks(
              List.copyOf(imported),
              name ->
                  Optional.ofNullable(ProcessParameters.REFUSED.get(name))
                      .or(
                          () ->
                              session.registry().findFunction(name).map(FunctionMatch::function)));
      loaded = program.hostCode().stream().map((HostCode code) -> code.load(links)).toList();
      libraries = loaded;
    }
    return loaded;
  }

  @Override
  public List<Module> imports() {
    return List.copyOf(imported);
  }

  @Override
  public synchronized void close() {
    List<Module> loaded = libraries;
    libraries = null;
    if (loaded != null) {
      loaded.forEach(Module::close);
    }
  }
}
