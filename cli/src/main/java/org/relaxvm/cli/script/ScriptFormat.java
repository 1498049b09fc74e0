package org.relaxvm.cli.script;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.check.LinkVerdict;
import org.relaxvm.cli.spi.CaseContext;
import org.relaxvm.cli.spi.CaseFormat;
import org.relaxvm.cli.spi.CaseResult;
import org.relaxvm.cli.spi.CaseResult.Verdict;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * Script cases: folders with {@code script.json}, and archives of such folders. A script whose
 * functions are not all there is unsupported.
 */
public final class ScriptFormat implements CaseFormat {
  /** Called by {@link java.util.ServiceLoader}. */
  public ScriptFormat() {}

  @Override
  public String name() {
    return "script";
  }

  @Override
  public String description() {
    return "a folder with script.json, or a .tar.gz archive of such folders";
  }

  @Override
  public boolean accepts(Path path) {
    return isArchive(path) || Files.isRegularFile(path.resolve(Script.NAME));
  }

  private static boolean isArchive(Path path) {
    String name = path.toString();
    return (name.endsWith(".tar.gz") || name.endsWith(".tgz")) && Files.isRegularFile(path);
  }

  @Override
  public void check(Path path, CaseContext context) {
    if (!isArchive(path)) {
      checkFolder(path, context);
      return;
    }
    try (UnpackedArchive archive = UnpackedArchive.of(path)) {
      List<Path> folders = archive.foldersWith(Script.NAME);
      if (folders.isEmpty()) {
        throw new MalformedFileException(
            ErrorKind.VALUE, "'" + path + "': no folder of the archive holds " + Script.NAME);
      }
      folders.forEach(folder -> checkFolder(folder, context));
    }
  }

  private static void checkFolder(Path folder, CaseContext context) {
    Script script = Script.read(folder);
    Optional<String> unmet = ScriptNeeds.unmet(script, context.registry());
    if (unmet.isPresent()) {
      report(script, context, Verdict.UNSUPPORTED, unmet.get());
      return;
    }
    Program program;
    VirtualMachine vm;
    try {
      program = script.program().map(context::load).orElseGet(ScriptFormat::empty);
      vm = context.link(program, script.devices());
    } catch (RelaxException e) {
      LinkVerdict failed = LinkVerdict.of(e);
      report(script, context, failed.verdict(), failed.reason());
      return;
    }
    try (vm;
        ScriptRun run = new ScriptRun(script, vm, context)) {
      if (run.isEmpty()) {
        report(script, context, Verdict.UNSUPPORTED, "none of its steps can be run from a file");
        return;
      }
      Optional<String> difference = difference(run);
      report(
          script,
          context,
          difference.isEmpty() ? Verdict.AGREES : Verdict.DIFFERS,
          difference.orElse(""));
    }
  }

  private static Optional<String> difference(ScriptRun run) {
    try {
      return run.difference();
    } catch (RelaxException e) {
      // A script whose files cannot be read has failed; the others still run.
      return Optional.of(e.kind() + ": " + e.getMessage());
    }
  }

  /** For scripts that call registered functions only. */
  private static Program empty() {
    return Program.of(new ExecBuilder().get());
  }

  private static void report(Script script, CaseContext context, Verdict verdict, String reason) {
    int steps = script.steps().size();
    String what = "script of " + steps + (steps == 1 ? " step" : " steps");
    context.report(new CaseResult(script.name(), 0, what, "", verdict, reason));
  }
}
