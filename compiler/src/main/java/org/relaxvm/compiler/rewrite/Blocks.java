package org.relaxvm.compiler.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;

/** Blocks in a row. */
public final class Blocks {
  private Blocks() {}

  /** The blocks in normal form: none is empty, and neighbours are of different kinds. */
  public static List<BindingBlock> joined(List<BindingBlock> blocks) {
    List<BindingBlock> joined = new ArrayList<>();
    for (BindingBlock block : blocks) {
      if (block.bindings().isEmpty()) {
        continue;
      }
      if (!joined.isEmpty() && joined.getLast().isDataflow() == block.isDataflow()) {
        List<Binding> all = new ArrayList<>(joined.removeLast().bindings());
        all.addAll(block.bindings());
        joined.add(new BindingBlock(all, block.isDataflow()));
      } else {
        joined.add(block);
      }
    }
    return joined;
  }
}
