package org.relaxvm.tir.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Where a statement is in a kernel.
 *
 * @param path all statements around it from the outside in, and itself
 */
record Place(List<Stmt> path) {
  /** The path does not change. */
  Place {
    path = List.copyOf(path);
  }

  /** Where the first statement is that meets a condition. */
  static Optional<Place> find(Stmt root, Predicate<Stmt> condition) {
    List<Stmt> path = new ArrayList<>();
    return search(root, condition, path) ? Optional.of(new Place(path)) : Optional.empty();
  }

  private static boolean search(Stmt stmt, Predicate<Stmt> condition, List<Stmt> path) {
    path.add(stmt);
    if (condition.test(stmt)) {
      return true;
    }
    for (Stmt child : children(stmt)) {
      if (search(child, condition, path)) {
        return true;
      }
    }
    path.removeLast();
    return false;
  }

  /** The statements directly inside; of blocks the body, not what starts it. */
  static List<Stmt> children(Stmt stmt) {
    return switch (stmt) {
      case For loop -> List.of(loop.body());
      case BlockRealize realize -> List.of(realize.block().body());
      case Seq seq -> seq.statements();
      case IfThenElse choice -> {
        List<Stmt> branches = new ArrayList<>(List.of(choice.whenTrue()));
        choice.whenFalse().ifPresent(branches::add);
        yield branches;
      }
      case Let let -> List.of(let.body());
      default -> List.of();
    };
  }

  /** The statement itself. */
  Stmt stmt() {
    return path.getLast();
  }

  /** The outermost loop around it up to the nearest block, or the statement itself. */
  Stmt stage() {
    List<For> loops = loops();
    return loops.isEmpty() ? stmt() : loops.getFirst();
  }

  /** The loops around it from the outside in, up to the nearest block. */
  List<For> loops() {
    List<For> loops = new ArrayList<>();
    for (Stmt around : path.subList(0, path.size() - 1).reversed()) {
      if (around instanceof BlockRealize) {
        break;
      }
      if (around instanceof For loop) {
        loops.addFirst(loop);
      }
    }
    return loops;
  }
}
