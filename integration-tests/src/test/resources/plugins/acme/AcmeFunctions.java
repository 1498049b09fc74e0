package acme;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.SpiVersion;

/** A kernel in many threads, and a function that fails. */
public final class AcmeFunctions implements FunctionProvider {
  static final class Failure extends RuntimeException {
    Failure(String message) {
      super(message);
    }
  }

  private static final class State implements AutoCloseable {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public void close() {}
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return "acme functions";
  }

  @Override
  public Set<String> functionNames() {
    return Set.of("acme.double", "acme.fail");
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return switch (name) {
      case "acme.double" -> Optional.of(AcmeFunctions::twice);
      case "acme.fail" ->
          Optional.of(
              (args, result) -> {
                throw new Failure("asked to fail");
              });
      default -> Optional.empty();
    };
  }

  private static void twice(CallArgs args, CallResult result) {
    float[] from = content(args.tensorAt(0));
    float[] to = content(args.tensorAt(1));
    args.context().attachment(State.class, State::new).calls.incrementAndGet();
    WorkerPool workers = args.context().workers();
    workers.parallelFor(
        0,
        to.length,
        1,
        (begin, end) -> {
          for (int i = (int) begin; i < end; i++) {
            to[i] = 2 * from[i];
          }
        });
    AtomicInteger members = new AtomicInteger();
    workers.runGang(workers.parallelism(), (index, size) -> members.incrementAndGet());
    if (members.get() != workers.parallelism()) {
      throw new AssertionError(members + " members instead of " + workers.parallelism());
    }
  }

  private static float[] content(Tensor tensor) {
    return ((AcmeDevice.Block) tensor.storage().memory()).content();
  }
}
