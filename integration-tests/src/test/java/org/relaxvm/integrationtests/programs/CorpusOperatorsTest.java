package org.relaxvm.integrationtests.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.rewrite.ExprVisitor;

/** The corpus has all operators. */
class CorpusOperatorsTest {
  /** Operators that no program of the corpus has, and why. */
  private static final Map<String, String> EXCEPTIONS =
      Map.ofEntries(
          Map.entry("nn.attention_var_len", "nothing computes it"),
          Map.entry("call_tir_with_grad", "gradients are not taken"),
          Map.entry("call_py_func", "there is no other host language"),
          Map.entry("image.non_max_suppression", "computed on the host: tests of builtins"),
          Map.entry("mel_weight_matrix", "computed on the host: tests of builtins"),
          Map.entry("call_builtin_with_ctx", "passes make it"),
          Map.entry("vm.call_tir_dyn", "passes make it"),
          Map.entry("builtin.alloc_tensor", "passes make it"),
          Map.entry("memory.alloc_storage", "passes make it"),
          Map.entry("memory.alloc_tensor", "passes make it"),
          Map.entry("memory.kill_storage", "passes make it"),
          Map.entry("memory.kill_tensor", "passes make it"),
          Map.entry("vm.alloc_storage", "passes make it"),
          Map.entry("vm.alloc_tensor", "passes make it"),
          Map.entry("vm.kill_object", "passes make it"));

  @Test
  void eachOperatorIsInAProgram() throws IOException {
    Set<String> found = new TreeSet<>();
    ExprVisitor names =
        new ExprVisitor() {
          @Override
          public void visit(Expr expr) {
            if (expr instanceof Op op) {
              found.add(op.name());
            }
            super.visit(expr);
          }
        };
    for (ProgramFile file : ProgramFile.all()) {
      file.module().relaxFunctions().values().forEach(names::visit);
    }
    Set<String> expected = new TreeSet<>(StandardOps.registry().all().keySet());
    assertThat(expected).containsAll(EXCEPTIONS.keySet());
    expected.removeAll(EXCEPTIONS.keySet());
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }
}
