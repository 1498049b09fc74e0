package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.objects.kernel.KernelReader;
import org.relaxvm.compiler.objects.kernel.ScalarReader;
import org.relaxvm.compiler.objects.node.Cursor;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.compiler.op.OpRegistry;
import org.relaxvm.compiler.type.VDevice;

/** Reads a module. */
final class ModuleReader {
  private static final String VDEVICES = "vdevice";

  private final OpRegistry operators;
  private final Problems problems = new Problems();

  private ModuleReader(OpRegistry operators) {
    this.operators = operators;
  }

  /**
   * Reads a module, without a check of what it says.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException with all that cannot be held
   */
  static IRModule read(Object root, OpRegistry operators) {
    return new ModuleReader(operators).read(root);
  }

  private IRModule read(Object root) {
    Cursor at = Cursor.root(root, problems);
    IRModule module = at.require("ir.IRModule") ? module(at) : IRModule.EMPTY;
    problems.throwIfAny("the module cannot be held as Relax IR");
    return module;
  }

  private IRModule module(Cursor at) {
    Map<ObjectNode, Cursor> functions = at.get("functions").objectEntries(ModuleReader::keyText);
    Map<ObjectNode, GlobalVar> globals = globals(at.get("functions"), functions);
    List<VDevice> devices = devices(at.get("global_infos"));
    Scalars scalars = new Scalars(new ScalarReader(problems));
    ExpressionReader expressions = new ExpressionReader(operators, globals, devices, scalars);
    SequencedMap<GlobalVar, ModuleFunction> read = new LinkedHashMap<>();
    functions.forEach(
        (node, function) -> {
          GlobalVar global = globals.get(node);
          if (global != null) {
            function(global, function, expressions, scalars)
                .ifPresent(made -> read.put(global, made));
          }
        });
    Attrs attrs = AttributeReader.dictionary(at.get("attrs"));
    return at.held(() -> new IRModule(read, attrs, devices), IRModule.EMPTY);
  }

  private static String keyText(ObjectNode key) {
    return key.type().isA("ir.GlobalVar") ? "I.GlobalVar(\"" + name(key) + "\")" : "" + key.type();
  }

  private static String name(ObjectNode global) {
    return String.valueOf(ObjectView.of(global).get("name_hint"));
  }

  private Map<ObjectNode, GlobalVar> globals(Cursor at, Map<ObjectNode, Cursor> functions) {
    Map<ObjectNode, GlobalVar> globals = new IdentityHashMap<>();
    Set<String> names = new HashSet<>();
    for (ObjectNode key : functions.keySet()) {
      if (!key.type().isA("ir.GlobalVar")) {
        at.problem("expected keys of the type ir.GlobalVar, but got " + key.type().key());
      } else if (!names.add(name(key))) {
        at.problem("two functions have the name " + name(key));
      } else {
        globals.put(key, new GlobalVar(name(key)));
      }
    }
    return globals;
  }

  private Optional<ModuleFunction> function(
      GlobalVar global, Cursor at, ExpressionReader expressions, Scalars scalars) {
    return switch (at.key()) {
      case "relax.expr.Function" -> Optional.of(expressions.function(at));
      case "relax.expr.ExternFunc" -> Optional.of(expressions.extern(at));
      case "tirx.PrimFunc" ->
          at.node()
              .flatMap(
                  node ->
                      KernelReader.read(global.name(), node, scalars.reader(), problems, at.path()))
              .map(KernelFunction::new);
      default -> {
        if (at.require("ir.BaseFunc")) {
          at.problem("the function " + at.key() + " cannot be held");
        }
        yield Optional.empty();
      }
    };
  }

  private static List<VDevice> devices(Cursor at) {
    List<VDevice> devices = new ArrayList<>();
    at.entries()
        .forEach(
            (kind, infos) -> {
              if (kind.equals(VDEVICES)) {
                infos.items().forEach(device -> devices.add(VirtualDevices.read(device)));
              } else {
                infos.problem("the global information " + kind + " cannot be held");
              }
            });
    return devices;
  }
}
