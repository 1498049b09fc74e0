package org.relaxvm.tir.fuse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.op.LibraryArg;
import org.relaxvm.tir.op.LibraryHint;

/** What a kernel says about a library function, with the buffers that replaced its parameters. */
record FusedHint(LibraryHint hint, Map<String, Buffer> tensors) {

  static Optional<FusedHint> of(PrimFunc callee, Map<Buffer, Buffer> mapped) {
    Map<String, Buffer> tensors = new LinkedHashMap<>();
    Set<String> twice = new HashSet<>();
    mapped.forEach(
        (parameter, actual) -> {
          if (tensors.put(parameter.name(), actual) != null) {
            twice.add(parameter.name());
          }
        });
    tensors.keySet().removeAll(twice);
    return LibraryHint.of(callee).map(hint -> new FusedHint(hint, tensors));
  }

  /**
   * The attributes of the kernel around it; none when it names what is not one parameter of the
   * kernel that is called, or computes an input first.
   *
   * @param outputs with the buffers that they became
   */
  Optional<Map<String, Object>> attrs(Set<Buffer> inputs, Map<Buffer, Buffer> outputs) {
    List<LibraryArg> args = new ArrayList<>();
    for (int i = 0; i < hint.args().size(); i++) {
      LibraryArg arg = hint.args().get(i);
      if (arg instanceof LibraryArg.OfParam(String name)) {
        Buffer tensor = tensors.get(name);
        boolean last = i == hint.args().size() - 1;
        if (tensor == null || (!last && !inputs.contains(tensor))) {
          return Optional.empty();
        }
        String ownName = outputs.getOrDefault(tensor, tensor).name();
        if (!LibraryArg.OfParam.isName(ownName)) {
          return Optional.empty();
        }
        arg = new LibraryArg.OfParam(ownName);
      }
      args.add(arg);
    }
    return Optional.of(new LibraryHint(hint.function(), args).attrs());
  }
}
