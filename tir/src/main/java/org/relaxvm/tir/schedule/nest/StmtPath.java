package org.relaxvm.tir.schedule.nest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The path to a statement in a kernel.
 *
 * @param stmts all statements around it from the outside in, and itself
 */
public record StmtPath(List<Stmt> stmts) {
  /** Copies the statements. */
  public StmtPath {
    stmts = List.copyOf(stmts);
  }

  /** The path to the first statement that meets a condition. */
  public static Optional<StmtPath> find(Stmt root, Predicate<Stmt> condition) {
    List<Stmt> stmts = new ArrayList<>();
    return search(root, condition, stmts) ? Optional.of(new StmtPath(stmts)) : Optional.empty();
  }

  private static boolean search(Stmt stmt, Predicate<Stmt> condition, List<Stmt> stmts) {
    stmts.add(stmt);
    if (condition.test(stmt)) {
      return true;
    }
    for (Stmt child : children(stmt)) {
      if (search(child, condition, stmts)) {
        return true;
      }
    }
    stmts.removeLast();
    return false;
  }

  /** The paths to the outermost blocks of a statement in the order of the text. */
  public static List<StmtPath> blocks(Stmt root) {
    List<StmtPath> paths = new ArrayList<>();
    collect(root, new ArrayList<>(), paths);
    return paths;
  }

  private static void collect(Stmt stmt, List<Stmt> stmts, List<StmtPath> paths) {
    stmts.add(stmt);
    if (stmt instanceof BlockRealize) {
      paths.add(new StmtPath(stmts));
    } else {
      children(stmt).forEach(child -> collect(child, stmts, paths));
    }
    stmts.removeLast();
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
  public Stmt stmt() {
    return stmts.getLast();
  }

  /** The block at the end of the path. */
  public Block block() {
    return ((BlockRealize) stmt()).block();
  }

  /** Whether the statement is inside of another, or is it. */
  @SuppressWarnings("ReferenceEquality") // that very statement
  public boolean isIn(Stmt outer) {
    return stmts.stream().anyMatch(stmt -> stmt == outer);
  }

  /** The statements between another one around the statement and the statement itself. */
  @SuppressWarnings("ReferenceEquality") // that very statement
  public List<Stmt> pathFrom(Stmt outer) {
    for (int i = 0; i < stmts.size(); i++) {
      if (stmts.get(i) == outer) {
        return stmts.subList(i + 1, stmts.size() - 1);
      }
    }
    return List.of();
  }

  /**
   * Refuses a position inside of a block other than the one around all.
   *
   * @param which the statement, for the message
   */
  public void requireNoBlockAround(String which, String what) {
    for (Stmt around : stmts.subList(0, stmts.size() - 1)) {
      if (around instanceof BlockRealize realize && !realize.equals(stmts.getFirst())) {
        throw Refusal.of(what, which + " is inside of the block " + realize.block().name());
      }
    }
  }

  /** The outermost loop around the statement up to the nearest block, or the statement itself. */
  public Stmt stage() {
    List<For> loops = loops();
    return loops.isEmpty() ? stmt() : loops.getFirst();
  }

  /** The loops around the statement from the outside in, up to the nearest block. */
  public List<For> loops() {
    List<For> loops = new ArrayList<>();
    for (Stmt around : stmts.subList(0, stmts.size() - 1).reversed()) {
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
