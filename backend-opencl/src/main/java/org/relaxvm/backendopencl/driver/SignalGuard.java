package org.relaxvm.backendopencl.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the signal handlers of the process when drivers replace them.
 *
 * <p>HotSpot handles {@code SIGSEGV} and {@code SIGFPE} in normal operation: null checks and polls
 * for safepoints are reads of protected memory, and a division by zero is left to the processor. A
 * driver that compiles with LLVM, such as PoCL, registers LLVM's handlers when it is initialized.
 * They are meant for a compiler that crashes. They are one-shot, so that a second thread that
 * faults meanwhile ends the process without a word, and they delete the compiler's temporary files.
 * PoCL's own handler of {@code SIGFPE} skips divisions by zero, of Java code, too.
 *
 * <p>LLVM registers its handlers once and does not look whether they are still there. So they are
 * replaced by those of before as soon as the call ends in which they were registered.
 *
 * <p>Only signals that had a handler before are restored. Nothing is done on other systems than
 * Linux. Thread-safe.
 */
final class SignalGuard {
  /** Signal handlers are the process's, and so is what keeps them. */
  static final SignalGuard PROCESS = new SignalGuard();

  private final Logger log = LoggerFactory.getLogger(SignalGuard.class);
  private final boolean supported = System.getProperty("os.name").equals("Linux");
  private final List<SignalAction> before = new ArrayList<>();
  private int sections;

  private SignalGuard() {}

  /** Calls of a driver that may replace handlers; the handlers are restored when it is closed. */
  interface Section extends AutoCloseable {
    @Override
    void close();
  }

  /** Begins a section. Sections of several threads may overlap. */
  synchronized Section enter() {
    if (sections == 0 && supported) {
      // No driver is at work: these are the handlers of the JVM and of the application.
      before.clear();
      IntStream.rangeClosed(1, SignalAction.LAST_SIGNAL)
          .mapToObj(LibC::action)
          .flatMap(action -> action.filter(SignalAction::hasHandler).stream())
          .forEach(before::add);
    }
    sections++;
    return this::leave;
  }

  private synchronized void leave() {
    sections--;
    List<Integer> restored = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      SignalAction kept = before.get(i);
      SignalAction now = LibC.action(kept.signal()).orElse(kept);
      if (now.handler() != kept.handler()) {
        SignalAction handling = merged(kept, now);
        LibC.setAction(handling);
        before.set(i, handling);
        restored.add(kept.signal());
      }
    }
    if (!restored.isEmpty()) {
      log.debug("a driver of OpenCL replaced the handlers of signals {}: restored", restored);
    }
  }

  private SignalAction merged(SignalAction kept, SignalAction now) {
    if (kept.signal() != SignalAction.SIGFPE || !now.hasHandler() || now.isOneShot()) {
      return kept;
    }
    Optional<SignalAction> both = DivisionHandler.of(kept, now);
    if (both.isEmpty()) {
      log.warn("an integer division by zero in an OpenCL kernel ends the process on this system");
    }
    return both.orElse(kept);
  }
}
