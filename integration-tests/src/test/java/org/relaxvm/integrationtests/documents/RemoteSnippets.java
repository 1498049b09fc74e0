package org.relaxvm.integrationtests.documents;

import java.nio.file.Path;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Tensor;
import org.relaxvm.rpc.RemoteModule;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RemoteVm;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** The code of {@code docs/remote.md}. */
final class RemoteSnippets {
  private RemoteSnippets() {}

  static float[] device(Program program, Tensor image) {
    // snippet: device
    try (VirtualMachine vm =
            VirtualMachine.builder(program).device("rpc://192.168.0.7:9091/opencl:0").build();
        Tensor scores = vm.function("main").call(image).asTensor();
        Tensor here = scores.toHost()) {
      return here.toFloatArray();
    }
    // end
  }

  static Tensor session(Path file, Tensor image) {
    // snippet: session
    try (RpcSession session = RpcSession.connect("192.168.0.7:9091")) {
      session.upload("model.rvm", file);
      try (RemoteModule module = session.loadModule("model.rvm");
          RemoteVm vm = module.vm(DeviceId.CPU);
          RemoteTensor input = session.upload(image, DeviceId.CPU)) {
        vm.setInput("main", input);
        vm.invoke("main");
        System.out.println(vm.timer("main", DeviceId.CPU).runs(10, 3).time(input));
        try (RemoteTensor scores = vm.outputTensor("main")) {
          return scores.download();
        }
      }
    }
    // end
  }
}
