package org.relaxvm.rpc.device;

import java.time.Duration;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.RpcTls;
import org.relaxvm.rpc.error.RpcException;

/** Devices of RPC servers, named by address. */
public final class RemoteBackendProvider implements BackendProvider {
  private static final String KEY = "key";
  private static final String TOKEN = "token";
  private static final String TLS = "tls";
  private static final String TIMEOUT = "timeout";

  /** Called by the service loader. */
  public RemoteBackendProvider() {}

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return RemoteAddress.SCHEME;
  }

  @Override
  public Probe probe() {
    return Probe.usable("connects to rpc://host:port/device");
  }

  @Override
  public List<BackendOption> options() {
    return List.of(
        BackendOption.of(
            KEY, "text", "", "relaxvm.rpc.key", "The key that servers were started with."),
        BackendOption.of(
            TLS,
            "CERTIFICATE.pem,KEY.pem,TRUSTED.pem",
            "",
            "relaxvm.rpc.tls",
            "The files for connections with TLS."),
        BackendOption.of(TOKEN, "text", "", "relaxvm.rpc.token", "The token that servers demand."),
        BackendOption.of(
            TIMEOUT,
            "seconds",
            "0",
            "relaxvm.rpc.timeout",
            "The limit for an answer; 0 for none."));
  }

  @Override
  public Backend open(BackendOptions options) {
    String seconds = options.value(TIMEOUT);
    if (!seconds.matches("[0-9]{1,9}")) {
      throw new RpcException(
          ErrorKind.VALUE, "option rpc.timeout must be whole seconds, but is '" + seconds + "'");
    }
    String files = options.value(TLS);
    return new RemoteBackend(
        RpcOptions.DEFAULT
            .withKey(options.value(KEY))
            .withToken(options.value(TOKEN))
            .withTls(files.isEmpty() ? null : RpcTls.parse(files))
            .withCallTimeout(Duration.ofSeconds(Long.parseLong(seconds))));
  }
}
