package org.relaxvm.rpc.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.WireLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes sessions of connections: handshake, limits, and what a session needs. Thread-safe. */
public final class SessionFactory {
  private static final Logger LOG = LoggerFactory.getLogger(SessionFactory.class);
  private static final String CLIENT = "client:";
  private static final String SERVER = "server:";
  private static final long PACKET_OVERHEAD = 1 << 20;

  private final ServerOptions options;
  private final BackendRegistry registry;
  private final List<Device> devices = new ArrayList<>();
  private final ImageCache images = new ImageCache();
  private final Set<ServerSession> sessions = ConcurrentHashMap.newKeySet();
  private final Set<ChildSession> children = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer;

  /**
   * Opens the devices.
   *
   * @throws org.relaxvm.api.error.BackendException when one cannot be had
   */
  public SessionFactory(ServerOptions options, BackendRegistry registry) {
    this.options = options;
    this.registry = registry;
    Device host = registry.host();
    for (String name : options.devices()) {
      Device device = registry.require(name);
      if (!device.isHost() && !devices.contains(device)) {
        devices.add(device);
      }
    }
    devices.add(host);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("relaxvm-rpc-session-time").factory());
  }

  /** What peers may send. */
  public WireLimits wireLimits() {
    long valueBytes = options.limits().valueBytes();
    return new WireLimits(
        Math.max(
                valueBytes,
                Math.max(options.limits().memoryBytes(), options.limits().uploadBytes()))
            + PACKET_OVERHEAD,
        Math.min(valueBytes, WireLimits.DEFAULT.valueBytes()),
        WireLimits.DEFAULT.values(),
        WireLimits.DEFAULT.rank());
  }

  /**
   * Serves one connection until it ends.
   *
   * @param link closed at the end
   * @param admitted whether a client of this name is served; asked once, of one that knows the
   *     token
   * @throws IOException when the connection fails before a session begins
   */
  public void serve(Link link, Predicate<String> admitted) throws IOException {
    PacketInput in = new PacketInput(link, wireLimits());
    PacketOutput out = new PacketOutput(link);
    link.deadline(System.nanoTime() + options.limits().helloTime().toNanos());
    ClientKey client = greet(in, out, link.peer(), admitted);
    if (client != null) {
      link.deadline(Link.NEVER);
      run(link, in, out, sessionTime(client));
    }
  }

  /**
   * Serves a client that a proxy brought until it ends.
   *
   * @param in has read the client's key
   */
  public void serveProxied(Link link, PacketInput in, PacketOutput out, String clientKey) {
    ClientKey client = ClientKey.parse(clientKey);
    if (isToken(client.token())) {
      run(link, in, out, sessionTime(client));
    } else {
      LOG.info("a client behind {} was refused: it does not know the token", link.peer());
    }
  }

  /** Who a client says it is: a name and options. */
  private record ClientKey(String name, String token, double timeout) {
    static ClientKey parse(String text) {
      String[] words = text.split(" ");
      String token = "";
      double timeout = 0;
      for (String word : words) {
        if (word.startsWith("-timeout=")) {
          timeout = seconds(word.substring(word.indexOf('=') + 1));
        } else if (word.startsWith("-token=")) {
          token = word.substring(word.indexOf('=') + 1);
        }
      }
      return new ClientKey(words.length == 0 ? "" : words[0], token, timeout);
    }

    private static double seconds(String text) {
      return text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?") ? Double.parseDouble(text) : 0;
    }
  }

  /** The handshake; null when the client was refused. */
  private @Nullable ClientKey greet(
      PacketInput in, PacketOutput out, String peer, Predicate<String> admitted)
      throws IOException {
    if (!in.awaitBytes()) {
      return null;
    }
    int magic = in.readBareInt();
    if (magic != Handshake.MAGIC) {
      LOG.info("{} is no RPC client: it begins with 0x{}", peer, Integer.toHexString(magic));
      return null;
    }
    ClientKey client = ClientKey.parse(Handshake.readKey(in));
    if (!client.name().startsWith(CLIENT)
        || !isToken(client.token())
        || !admitted.test(client.name().substring(CLIENT.length()))) {
      LOG.info("{} was refused: its key is '{}'", peer, client.name());
      Handshake.send(out, Handshake.MISMATCH);
      return null;
    }
    Handshake.send(out, Handshake.SUCCESS, SERVER + options.key());
    return client;
  }

  /** Compares in constant time. */
  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), options.token().getBytes(StandardCharsets.UTF_8));
  }

  private double sessionTime(ClientKey client) {
    double bound = options.limits().sessionTime().toNanos() / 1e9;
    double wanted = client.timeout();
    return bound == 0 ? wanted : wanted == 0 ? bound : Math.min(wanted, bound);
  }

  /** Serves a client whose handshake was done elsewhere. */
  void serveGreeted(Link link, double seconds) {
    run(link, new PacketInput(link, wireLimits()), new PacketOutput(link), seconds);
  }

  private void run(Link link, PacketInput in, PacketOutput out, double seconds) {
    if (options.nativeCode() == NativeCode.IN_CHILD_PROCESS) {
      ChildSession child = ChildSession.start(options, link.peer(), seconds);
      children.add(child);
      try {
        child.serve(link, in);
      } finally {
        children.remove(child);
      }
    } else {
      runHere(link, in, out, seconds);
    }
  }

  private void runHere(Link link, PacketInput in, PacketOutput out, double seconds) {
    SessionFiles files = new SessionFiles(options.limits().uploadBytes());
    SessionSettings settings =
        new SessionSettings(
            options.nativeCode() == NativeCode.IN_PROCESS,
            options.allowHops(),
            options.limits().memoryBytes(),
            options.limits().helloTime());
    SessionModules modules = new SessionModules(files, registry, settings);
    ServerFunctions functions = new ServerFunctions(functions(), registry, files, modules, images);
    SessionDevices seen =
        new SessionDevices(devices, options.limits().memoryBytes(), functions::find);
    AutoCloseable resources =
        () -> {
          try (files) {
            modules.close();
          }
        };
    ServerSession session =
        new ServerSession(
            link,
            in,
            out,
            seen,
            new HandleTable(options.limits().handles()),
            functions::find,
            modules,
            resources);
    sessions.add(session);
    ScheduledFuture<?> end = null;
    try {
      if (seconds > 0) {
        end =
            timer.schedule(
                () -> Thread.ofVirtual().start(() -> session.expire(expired(seconds))),
                (long) (seconds * 1e9),
                TimeUnit.NANOSECONDS);
      }
      session.run();
    } finally {
      sessions.remove(session);
      if (end != null) {
        end.cancel(false);
      }
    }
  }

  private Map<String, PackedFunc> functions() {
    if (!options.testFunctions()) {
      return options.functions();
    }
    Map<String, PackedFunc> all = new HashMap<>(TestFunctions.all());
    all.putAll(options.functions());
    return all;
  }

  /** The original's text, which its client recognises. */
  private static String expired(double seconds) {
    return "RPCSessionTimeoutError: Your "
        + seconds
        + "s session has expired, try to increase the \"session_timeout\" value.";
  }

  /** The number of sessions now. */
  public int count() {
    return sessions.size() + children.size();
  }

  /** Asks all sessions to end. */
  public void stopAll() {
    sessions.forEach(ServerSession::stop);
    children.forEach(ChildSession::stop);
    timer.shutdownNow();
  }
}
