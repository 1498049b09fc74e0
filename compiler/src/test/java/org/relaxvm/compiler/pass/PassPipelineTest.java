package org.relaxvm.compiler.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.IRModule;

/** Pipelines can be changed, extended and watched. */
class PassPipelineTest {
  /** Records in an attribute of the module that it ran. */
  private static Pass noting(String name) {
    return new Pass() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public IRModule run(IRModule module, PassContext context) {
        String before = module.attrs().text("ran").orElse("");
        return module.withAttrs(module.attrs().with("ran", before + name));
      }
    };
  }

  private static final PassPipeline ABC =
      PassPipeline.of(List.of(noting("A"), noting("B"), noting("C")));

  private static String ran(PassPipeline pipeline) {
    return pipeline
        .run(IRModule.EMPTY, PassContext.DEFAULT, PassObserver.NONE)
        .attrs()
        .text("ran")
        .orElse("");
  }

  private static void refused(Runnable action, String message) {
    assertThatThrownBy(action::run).isInstanceOf(InvalidProgramException.class).hasMessage(message);
  }

  @Test
  void passesRunInOrder() {
    assertThat(ran(ABC)).isEqualTo("ABC");
    assertThat(ran(PassPipeline.of(List.of()))).isEmpty();
  }

  @Test
  void passesGoBeforeOthersAndAfterThem() {
    assertThat(ran(ABC.before("A", noting("x")))).isEqualTo("xABC");
    assertThat(ran(ABC.before("C", noting("x")))).isEqualTo("ABxC");
    assertThat(ran(ABC.after("A", noting("x")))).isEqualTo("AxBC");
    assertThat(ran(ABC.after("C", noting("x")))).isEqualTo("ABCx");
    assertThat(ABC.names()).containsExactly("A", "B", "C");
  }

  @Test
  void passesCanBeRemovedAndReplaced() {
    assertThat(ran(ABC.without("B"))).isEqualTo("AC");
    assertThat(ran(ABC.replacing("B", noting("x")))).isEqualTo("AxC");
    assertThat(ran(ABC.replacing("B", noting("B")))).isEqualTo("ABC");
  }

  @Test
  void pipelinesFollowOneAnother() {
    assertThat(ran(ABC.then(PassPipeline.of(List.of(noting("D")))))).isEqualTo("ABCD");
  }

  @Test
  void aPassRunsTwiceUnderAnotherName() {
    PassPipeline twice = ABC.after("C", PassPipeline.again(ABC.passes().getFirst(), "A2"));
    assertThat(twice.names()).containsExactly("A", "B", "C", "A2");
    assertThat(ran(twice)).isEqualTo("ABCA");
  }

  @Test
  void aNameIsThereOnce() {
    String message =
        "the pipeline has two passes of the name A; give one of them another name with"
            + " PassPipeline.again";
    refused(() -> PassPipeline.of(List.of(noting("A"), noting("A"))), message);
    refused(() -> ABC.before("B", noting("A")), message);
    refused(() -> ABC.after("B", noting("A")), message);
    refused(() -> ABC.replacing("B", noting("A")), message);
    refused(() -> ABC.then(ABC), message);
  }

  @Test
  void aPassThatIsNotThereIsNoAnchor() {
    String message = "the pipeline has no pass X; it has A, B, C";
    refused(() -> ABC.before("X", noting("x")), message);
    refused(() -> ABC.after("X", noting("x")), message);
    refused(() -> ABC.without("X"), message);
    refused(() -> ABC.replacing("X", noting("x")), message);
  }

  @Test
  void observersSeeEachPass() {
    List<String> seen = new ArrayList<>();
    PassObserver first = (pass, before, after, nanos) -> seen.add("1" + pass.name());
    PassObserver second =
        (pass, before, after, nanos) ->
            seen.add(before.attrs().text("ran").orElse("") + ">" + after.attrs().text("ran").get());
    ABC.run(IRModule.EMPTY, PassContext.DEFAULT, first.and(second));
    assertThat(seen).containsExactly("1A", ">A", "1B", "A>AB", "1C", "AB>ABC");
  }

  @Test
  void errorsSayWhichPass() {
    Pass failing =
        new Pass() {
          @Override
          public String name() {
            return "Failing";
          }

          @Override
          public IRModule run(IRModule module, PassContext context) {
            InvalidProgramException e =
                new InvalidProgramException(ErrorKind.VALUE, "this is wrong");
            e.addLocation("function main");
            throw e;
          }
        };
    List<String> seen = new ArrayList<>();
    refused(
        () ->
            ABC.after("B", failing)
                .run(
                    IRModule.EMPTY,
                    PassContext.DEFAULT,
                    (pass, before, after, nanos) -> seen.add(pass.name())),
        "this is wrong\n  at function main\n  at pass Failing");
    assertThat(seen).containsExactly("A", "B");
  }

  @Test
  void providersInsertPasses() {
    PassProvider provider =
        provider(
            PassProvider.Placement.before("A", noting("x")),
            PassProvider.Placement.after("x", noting("y")));
    assertThat(ran(ABC.with(provider))).isEqualTo("xyABC");
  }

  @Test
  void errorsOfInsertionsSayWhichProvider() {
    refused(
        () -> ABC.with(provider(PassProvider.Placement.before("FuseOps", noting("x")))),
        "the pipeline has no pass FuseOps; it has A, B, C\n  at the pass provider test");
    refused(
        () -> ABC.with(provider(PassProvider.Placement.after("A", noting("B")))),
        "the pipeline has two passes of the name B; give one of them another name with"
            + " PassPipeline.again\n  at the pass provider test");
  }

  private static PassProvider provider(PassProvider.Placement... placements) {
    return new PassProvider() {
      @Override
      public String name() {
        return "test";
      }

      @Override
      public List<Placement> passes() {
        return List.of(placements);
      }
    };
  }

  /** A provider as a jar of a third party would have it. */
  public static final class ThirdParty implements PassProvider {
    /** For the service loader. */
    public ThirdParty() {}

    @Override
    public String name() {
      return "third party";
    }

    @Override
    public List<Placement> passes() {
      return List.of(Placement.after("A", PassPipeline.again(new Nothing(), "ThirdPartyPass")));
    }
  }

  /** A pass that changes nothing. */
  public static final class Nothing implements Pass {
    @Override
    public String name() {
      return "Nothing";
    }

    @Override
    public IRModule run(IRModule module, PassContext context) {
      return module;
    }
  }

  @Test
  void providersAreFound(@TempDir Path directory) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new Jar(directory));
    try {
      assertThat(ABC.withProviders().names()).containsExactly("A", "ThirdPartyPass", "B", "C");
      refused(
          () -> ABC.without("A").withProviders(),
          "the pipeline has no pass A; it has B, C\n  at the pass provider third party");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Loads the classes of the third party itself, as from a jar beside the compiler. */
  private static final class Jar extends ClassLoader {
    private static final String SERVICES = "META-INF/services/" + PassProvider.class.getName();
    private final Path services;

    Jar(Path directory) throws IOException {
      super(PassPipelineTest.class.getClassLoader());
      services = Files.writeString(directory.resolve("services"), ThirdParty.class.getName());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean own = name.equals(ThirdParty.class.getName()) || name.equals(Nothing.class.getName());
      if (!own) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
      try (InputStream in = PassPipelineTest.class.getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(SERVICES)
          ? Collections.enumeration(List.of(services.toUri().toURL()))
          : super.getResources(name);
    }
  }
}
