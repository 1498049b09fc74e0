/** Host memory as a device: what tensors on the CPU need, without any backend. */
@NullMarked
package org.relaxvm.api.host;

import org.jspecify.annotations.NullMarked;
