package org.relaxvm.compiler.file;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.io.Npy;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.BindParams;
import org.relaxvm.compiler.pass.simplify.BindSymbolicVars;
import org.relaxvm.compiler.text.TensorLiteral;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.vmcore.program.FormatOption;
import org.relaxvm.vmcore.program.FormatSetting;

/**
 * The options that modules in Relax IR are loaded with: {@code bind} replaces symbolic extents by
 * numbers, {@code value} replaces parameters of {@code main} by constants. Stateless; safe for
 * concurrent use.
 */
public final class ModuleSettings {
  /** The option that gives a symbolic extent a number. */
  public static final FormatOption BIND =
      new FormatOption("bind", "NAME=N", "Replaces the symbolic extent NAME by the number N.");

  /** The option that makes an input a constant. */
  public static final FormatOption VALUE =
      new FormatOption(
          "value",
          "NAME=FILE.npy|LITERAL",
          "Replaces the input NAME by a constant: a file, or a literal such as 3 or [[1, 2]].");

  private static final String MAIN = "main";

  private ModuleSettings() {}

  /** The options. */
  public static List<FormatOption> options() {
    return List.of(BIND, VALUE);
  }

  /**
   * The module with the settings applied, parameters first. Tensors that are read live as long as
   * the module.
   *
   * @throws InvalidProgramException a {@code ValueError} for a symbolic extent or a parameter that
   *     is not there, and for a malformed value
   */
  public static IRModule apply(IRModule module, List<FormatSetting> settings) {
    SequencedMap<String, PrimExpr> extents = new LinkedHashMap<>();
    Map<String, Tensor> values = new LinkedHashMap<>();
    for (FormatSetting setting : settings) {
      if (setting.option().equals(BIND.name())) {
        extents.put(setting.key(), IntImm.of(setting.number(0)));
      } else if (setting.option().equals(VALUE.name())) {
        values.put(setting.key(), value(module, setting));
      }
    }
    IRModule result = module;
    if (!values.isEmpty()) {
      result = BindParams.ofTensors(MAIN, values).run(result, PassContext.DEFAULT);
    }
    return extents.isEmpty()
        ? result
        : new BindSymbolicVars(extents, Optional.empty()).run(result, PassContext.DEFAULT);
  }

  /**
   * The tensor of a setting of {@link #VALUE}: a {@code .npy} file, or a literal.
   *
   * @param dtype of a literal
   * @throws InvalidProgramException a {@code ValueError} for a malformed literal
   * @throws org.relaxvm.api.error.MalformedFileException when the file cannot be read
   */
  public static Tensor tensor(FormatSetting setting, DType dtype) {
    String text = setting.text();
    if (text.toLowerCase(Locale.ROOT).endsWith(".npy")) {
      return Npy.read(Path.of(text));
    }
    try {
      return TensorLiteral.parse(text, dtype);
    } catch (InvalidProgramException e) {
      e.addLocation("the value of '" + setting.key() + "'");
      throw e;
    }
  }

  private static Tensor value(IRModule module, FormatSetting setting) {
    if (!(module.find(new GlobalVar(MAIN)).orElse(null) instanceof RelaxFunction main)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the option '"
              + VALUE.name()
              + "' is about parameters of the function main, which the module does not have\n"
              + "  got: "
              + setting.value());
    }
    RelaxVar param =
        main.params().stream()
            .filter(p -> p.name().equals(setting.key()))
            .findFirst()
            .orElseThrow(() -> unknown(main, setting));
    if (param.type() instanceof TensorType type && type.dtype().isPresent()) {
      return tensor(setting, type.dtype().get());
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE,
        "the parameter "
            + param.name()
            + " is no tensor, so no value can replace it\n  type: "
            + param.type());
  }

  private static InvalidProgramException unknown(RelaxFunction main, FormatSetting setting) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the function main has no parameter '"
            + setting.key()
            + "'\n  its parameters: "
            + main.params().stream().map(RelaxVar::name).collect(Collectors.joining(", "))
            + "\n  what to do: name one of them");
  }
}
