package org.relaxvm.compiler.codegen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * What a function takes and gives, for people and tools. Extents that are the same have the same
 * name; one that is computed, or not known, gets a name of its own. For one function.
 */
final class Signature {
  private final Map<PrimExpr, Dim> known = new HashMap<>();
  private final Set<String> names = new HashSet<>();

  /** One description per parameter; none when one of them is no tensor of known rank and dtype. */
  List<TensorSpec> inputs(List<RelaxVar> params) {
    List<TensorSpec> specs = new ArrayList<>();
    params.forEach(param -> add(param.name(), param.type(), specs));
    return specs.size() == params.size() ? specs : List.of();
  }

  /** One description per result; none when one of them is no tensor of known rank and dtype. */
  List<TensorSpec> outputs(Type result) {
    List<Type> types = result instanceof TupleType(var fields) ? fields : List.of(result);
    List<TensorSpec> specs = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      add(types.size() == 1 ? "output" : "output" + i, types.get(i), specs);
    }
    return specs.size() == types.size() ? specs : List.of();
  }

  private void add(String name, Type type, List<TensorSpec> specs) {
    if (type instanceof TensorType tensor && tensor.hasRank() && tensor.dtype().isPresent()) {
      List<Dim> dims =
          tensor
              .dims()
              .map(extents -> extents.stream().map(this::dim).toList())
              .orElseGet(() -> unknown(tensor.ndim()));
      specs.add(
          new TensorSpec(name, tensor.dtype().get(), dims, tensor.vdevice().map(VDevice::device)));
    }
  }

  private Dim dim(PrimExpr extent) {
    return switch (extent) {
      case IntImm(var dtype, long value) -> Dim.of(value);
      case Var var -> known.computeIfAbsent(var, unused -> fresh(var.name()));
      default -> known.computeIfAbsent(extent, unused -> fresh("computed"));
    };
  }

  private List<Dim> unknown(int ndim) {
    List<Dim> dims = new ArrayList<>();
    for (int i = 0; i < ndim; i++) {
      dims.add(fresh("any"));
    }
    return dims;
  }

  private Dim fresh(String hint) {
    String word = hint.replaceAll("[^A-Za-z0-9_]", "_");
    String start = word.isEmpty() || Character.isDigit(word.charAt(0)) ? "_" + word : word;
    String name = start;
    for (int i = 1; !names.add(name); i++) {
      name = start + i;
    }
    return Dim.symbol(name);
  }
}
