package org.relaxvm.compiler.objects;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.objects.kernel.KernelWriter;
import org.relaxvm.compiler.objects.kernel.ScalarWriter;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.type.ShapeVar;
import org.relaxvm.compiler.type.VDevice;

/** Writes a module. */
final class ModuleWriter {
  private final NodeMaker maker;
  private final ScalarWriter scalars;
  private final VirtualDevices devices;
  private final AttributeWriter attributes;
  private final TypeWriter types;
  private final Map<GlobalVar, ObjectNode> globals = new LinkedHashMap<>();
  private final ExpressionWriter expressions;

  private ModuleWriter(ObjectTypes objectTypes) {
    Map<ShapeVar, ObjectNode> variables = new IdentityHashMap<>();
    maker = new NodeMaker(objectTypes);
    scalars = new ScalarWriter(maker);
    devices = new VirtualDevices(maker, objectTypes);
    attributes = new AttributeWriter(objectTypes, maker, scalars, devices);
    types = new TypeWriter(maker, scalars, devices, variables);
    expressions = new ExpressionWriter(maker, scalars, types, attributes, globals, variables);
  }

  /** A module as an object. */
  static ObjectNode write(IRModule module, ObjectTypes types) {
    return new ModuleWriter(types).write(module);
  }

  private ObjectNode write(IRModule module) {
    Map<String, ObjectNode> byName = new LinkedHashMap<>();
    module
        .functions()
        .forEach(
            (global, function) -> {
              ObjectNode node =
                  maker.make(
                      "ir.GlobalVar",
                      "ty",
                      types.write(function.functionType()),
                      "name_hint",
                      global.name());
              globals.put(global, node);
              byName.put(global.name(), node);
            });
    Map<ObjectNode, ObjectNode> functions = new LinkedHashMap<>();
    module
        .functions()
        .forEach((global, function) -> functions.put(globals.get(global), function(function)));
    return maker.make(
        "ir.IRModule",
        "functions",
        functions,
        "global_var_map_",
        byName,
        "source_map",
        maker.make("ir.SourceMap", "source_map", Map.of()),
        "attrs",
        attributes.dictionary(module.attrs()),
        "global_infos",
        globalInfos(module.vdevices()));
  }

  private ObjectNode function(ModuleFunction function) {
    return switch (function) {
      case RelaxFunction relax -> expressions.function(relax);
      case ExternFunc extern -> expressions.extern(extern);
      case KernelFunction(var kernel) -> KernelWriter.write(kernel, scalars, maker);
    };
  }

  private Map<String, List<ObjectNode>> globalInfos(List<VDevice> vdevices) {
    return vdevices.isEmpty()
        ? Map.of()
        : Map.of("vdevice", vdevices.stream().map(devices::write).toList());
  }
}
