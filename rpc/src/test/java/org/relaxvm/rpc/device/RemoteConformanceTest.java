package org.relaxvm.rpc.device;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AddressedBackend;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.BackendUnderTest;
import org.relaxvm.backendtestkit.BaseBackendConformanceTest;
import org.relaxvm.backendtestkit.Capability;
import org.relaxvm.backendtestkit.ConformanceSample;
import org.relaxvm.backendtestkit.SampleModule;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.ServerOptions;

/** The kit is green on the reference device of a server. */
@Tag("effort")
class RemoteConformanceTest extends BaseBackendConformanceTest {
  private static final ConformanceSample SAMPLE =
      ConformanceSample.of(RemoteConformanceTest.class, 8);

  private static BackendRegistry registry;
  private static RpcServer server;

  @BeforeAll
  static void start() {
    registry =
        BackendRegistry.builder()
            .add(new ReferenceBackendProvider())
            .add(new CpuBackendProvider())
            .build();
    server =
        RpcServer.start(
            ServerOptions.DEFAULT
                .withNativeCode(NativeCode.IN_PROCESS)
                .withDevices(List.of("reference:0", "reference:1")),
            registry);
  }

  @AfterAll
  static void stop() {
    server.close();
    registry.close();
  }

  /** Opens the devices of the server at once, as the kit expects it of a backend. */
  private static final class Opened implements BackendProvider {
    private final RemoteBackendProvider provider = new RemoteBackendProvider();

    @Override
    public int spiVersion() {
      return provider.spiVersion();
    }

    @Override
    public String name() {
      return provider.name();
    }

    @Override
    public Probe probe() {
      return provider.probe();
    }

    @Override
    public List<BackendOption> options() {
      return provider.options();
    }

    @Override
    public Backend open(BackendOptions options) {
      AddressedBackend backend = (AddressedBackend) provider.open(options);
      for (String device : List.of("reference:0", "reference:1")) {
        backend.deviceAt("rpc://" + server.endpoint() + "/" + device);
      }
      return backend;
    }
  }

  @Override
  protected BackendUnderTest backendUnderTest() {
    return BackendUnderTest.of(Opened::new)
        .with(
            Capability.STRIDED_TENSORS,
            Capability.FLOAT16,
            Capability.BFLOAT16,
            Capability.FLOAT8,
            Capability.FLOAT64,
            Capability.INTEGERS)
        .withModule(
            new SampleModule(
                new ModuleImage(
                    "kernel-names",
                    List.of("minus"),
                    MemorySegment.ofArray(
                        "minus = relaxvm.negative\n".getBytes(StandardCharsets.UTF_8))),
                "minus"))
        .excluding(
            "BaseKernelLibraryConformanceTest"
                + ".anOutputOfAnotherShapeIsATypedErrorAndNothingIsWritten",
            "a remote kernel checks shapes: the error comes when the stream is synchronized");
  }

  @Override
  protected boolean includes(KernelSignature kernel, DType dtype, int round) {
    return SAMPLE.includes(kernel);
  }

  @Override
  protected boolean includes(KernelCase kernel) {
    return SAMPLE.includes(kernel);
  }
}
