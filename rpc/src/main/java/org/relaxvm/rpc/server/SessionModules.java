package org.relaxvm.rpc.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Module;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;

/**
 * The modules that a session loads. They are closed at the end of the session: a function of a
 * module may be used after the module's handle is freed.
 */
final class SessionModules implements AutoCloseable {
  private final SessionFiles files;
  private final BackendRegistry registry;
  private final SessionSettings settings;
  private final Set<AutoCloseable> opened = new LinkedHashSet<>();

  SessionModules(SessionFiles files, BackendRegistry registry, SessionSettings settings) {
    this.files = files;
    this.registry = registry;
    this.settings = settings;
  }

  BackendRegistry registry() {
    return registry;
  }

  SessionSettings settings() {
    return settings;
  }

  /** Closes something with the session. */
  void add(AutoCloseable resource) {
    opened.add(resource);
  }

  /** Something was closed earlier. */
  void remove(AutoCloseable resource) {
    opened.remove(resource);
  }

  /**
   * Loads an uploaded file.
   *
   * @throws org.relaxvm.api.error.RelaxException when it is absent, no program, or native and not
   *     allowed
   */
  Module load(String name) {
    Path file = files.require(name);
    Program program =
        Program.load(file, LoadOptions.DEFAULT.withNativeCode(settings.allowNative()))
            .withSource(name);
    return module(program);
  }

  /** A module of a program. */
  Module module(Program program) {
    ProgramModule module = new ProgramModule(program, this);
    opened.add(module);
    return module;
  }

  /** Makes a module search another one, too. */
  void importInto(Module parent, Module child) {
    if (!(parent instanceof ProgramModule into)) {
      throw new CallException(
          ErrorKind.TYPE, parent.origin() + " imports no modules: only a loaded file does");
    }
    if (child.withImports().contains(parent)) {
      throw new CallException(
          ErrorKind.VALUE, "a module cannot import one that contains it: " + child.origin());
    }
    into.add(child);
  }

  @Override
  public void close() {
    Throwable failure = null;
    for (AutoCloseable resource : new ArrayList<>(opened).reversed()) {
      try {
        resource.close();
      } catch (Exception e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    opened.clear();
    if (failure instanceof Exception e && !(e instanceof RuntimeException)) {
      throw new IllegalStateException(e);
    }
    FirstFailure.raise(failure);
  }
}
