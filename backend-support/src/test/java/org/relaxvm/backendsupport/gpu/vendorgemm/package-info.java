@NullMarked
package org.relaxvm.backendsupport.gpu.vendorgemm;

import org.jspecify.annotations.NullMarked;
