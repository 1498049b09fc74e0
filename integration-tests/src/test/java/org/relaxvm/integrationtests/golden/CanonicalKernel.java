package org.relaxvm.integrationtests.golden;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.text.TirText;

/**
 * A kernel without the names of variables, buffers and blocks.
 *
 * @param signature the parameters and what it gives
 * @param notes by name; that of the kernel as a note is the same for all
 * @param body the lines of the whole kernel
 */
record CanonicalKernel(String signature, SortedMap<String, Object> notes, List<String> body) {
  static CanonicalKernel of(PrimFunc kernel) {
    PrimFunc bare = kernel.withAttrs(Map.of()).withBody(withoutRoot(kernel.body()));
    String text = TirText.print(bare);
    String unnamed =
        text.substring(text.indexOf("def ")).replaceAll("block\\(\"[^\"]*\"\\)", "block()");
    List<String> lines = CanonicalText.lines(unnamed, name -> "kernel");
    SortedMap<String, Object> notes = new TreeMap<>(kernel.attrs());
    notes.replace(RelaxFunction.GLOBAL_SYMBOL, kernel.name(), "its name");
    return new CanonicalKernel(lines.getFirst(), notes, lines);
  }

  /** Without the block around all others where it says nothing; the texts leave it out then. */
  private static Stmt withoutRoot(Stmt body) {
    return body instanceof BlockRealize root
            && root.block().iterVars().isEmpty()
            && root.block().allocBuffers().isEmpty()
            && root.block().annotations().isEmpty()
            && root.block().init().isEmpty()
        ? root.block().body()
        : body;
  }
}
