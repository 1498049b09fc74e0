/** Tests of the lifetime of GPUs, on one whose memory is the host's. */
@NullMarked
package org.relaxvm.backendsupport.gpu.device;

import org.jspecify.annotations.NullMarked;
