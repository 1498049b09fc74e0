package org.relaxvm.interoprelay.proposal.verify;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayModule;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** Collects findings; keeps the first hundred, so that a hostile program cannot fill the memory. */
final class Findings {
  private static final int LIMIT = 100;
  private static final int MAX_TEXT = 200;

  private final RelayModule module;
  private final List<RelayFinding> kept = new ArrayList<>();
  private long count;

  Findings(RelayModule module) {
    this.module = module;
  }

  void module(String message) {
    add(new RelayFinding("the module", message));
  }

  void function(int function, String message) {
    String name = module.functions().get(function).name();
    add(new RelayFinding("function " + shortened(name), message));
  }

  void instruction(int function, int index, String message) {
    count++;
    if (kept.size() < LIMIT) {
      RelayInstruction instruction = module.functions().get(function).code().get(index);
      String text = RelayText.print(module, instruction);
      String name = module.functions().get(function).name();
      kept.add(
          new RelayFinding(
              "function " + shortened(name) + ", instruction " + index + ": " + shortened(text),
              message));
    }
  }

  private void add(RelayFinding finding) {
    count++;
    if (kept.size() < LIMIT) {
      kept.add(finding);
    }
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  long count() {
    return count;
  }

  List<RelayFinding> list() {
    List<RelayFinding> all = new ArrayList<>(kept);
    if (count > kept.size()) {
      all.add(
          new RelayFinding(
              "the module", (count - kept.size()) + " further problems are not listed"));
    }
    return all;
  }
}
