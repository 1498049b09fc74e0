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
 * Where a statement is in a kernel.
 *
 * @param path all statements around it from the outside in, and itself
 */
public record Place(List<Stmt> path) {
  /** The path does not change. */
  public Place {
    path = List.copyOf(path);
  }

  /** Where the first statement is that meets a condition. */
  public static Optional<Place> find(Stmt root, Predicate<Stmt> condition) {
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

  /** The outermost blocks of a statement in the order of the text. */
  public static List<Place> blocks(Stmt root) {
    List<Place> places = new ArrayList<>();
    collect(root, new ArrayList<>(), places);
    return places;
  }

  private static void collect(Stmt stmt, List<Stmt> path, List<Place> places) {
    path.add(stmt);
    if (stmt instanceof BlockRealize) {
      places.add(new Place(path));
    } else {
      children(stmt).forEach(child -> collect(child, path, places));
    }
    path.removeLast();
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
    return path.getLast();
  }

  /** The block that is there. */
  public Block block() {
    return ((BlockRealize) stmt()).block();
  }

  /** Whether it is inside of a statement, or is it. */
  @SuppressWarnings("ReferenceEquality") // that very statement
  public boolean isIn(Stmt outer) {
    return path.stream().anyMatch(stmt -> stmt == outer);
  }

  /** The statements between another one around it and itself. */
  @SuppressWarnings("ReferenceEquality") // that very statement
  public List<Stmt> pathFrom(Stmt outer) {
    for (int i = 0; i < path.size(); i++) {
      if (path.get(i) == outer) {
        return path.subList(i + 1, path.size() - 1);
      }
    }
    return List.of();
  }

  /**
   * Refuses a position inside of a block other than the one around all.
   *
   * @param which what is there, for the message
   */
  public void requireNoBlockAround(String which, String what) {
    for (Stmt around : path.subList(0, path.size() - 1)) {
      if (around instanceof BlockRealize realize && !realize.equals(path.getFirst())) {
        throw Refusal.of(what, which + " is inside of the block " + realize.block().name());
      }
    }
  }

  /** The outermost loop around it up to the nearest block, or the statement itself. */
  public Stmt stage() {
    List<For> loops = loops();
    return loops.isEmpty() ? stmt() : loops.getFirst();
  }

  /** The loops around it from the outside in, up to the nearest block. */
  public List<For> loops() {
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
